export const guides = {
  introduction: 'How to set up and operate this server. The guides are part of it and need no internet connection.',
  groups: {
    start: 'First steps',
    use: 'Bots and answers',
    platforms: 'Platforms',
    operate: 'Operation',
    develop: 'API and extensions',
  },
  toList: 'All guides',
  onPage: 'On this page',
};
