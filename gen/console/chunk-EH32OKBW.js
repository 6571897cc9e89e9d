function t(i){return/\.invalid$/i.test(i.trim())}export{t as a};
