import{W as o,Y as r,m as i,sa as e}from"./chunk-GJIHIZ2S.js";function f(s){let{api:t}=i();return e(`permissions ${s}`,async m=>r((await t.auth.listMyPermissions({},o(s,m))).result))}export{f as a};
