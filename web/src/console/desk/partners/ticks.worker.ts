// A second hand. Browsers slow the timers of hidden pages down to one a minute, and those of workers not at all.
setInterval(() => postMessage(null), 1000);
