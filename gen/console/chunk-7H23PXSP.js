var e=class extends Error{};var n=["imported","same","differs","refused","skipped"];function t(){return{imported:0,same:0,differs:0,refused:0,skipped:0}}export{n as a,t as b,e as c};
