export const own = 'a file of the page';
