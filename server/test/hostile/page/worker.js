// As a service worker it has nobody to send this to.
self.postMessage?.('it runs');
