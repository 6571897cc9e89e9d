function o(n,r,t=r){return Object.hasOwn(n,r)&&n[r]||t}export{o as a};
