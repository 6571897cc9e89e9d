declare module "rate-limiter-flexible/lib/RateLimiterPostgres.js" {
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has nothing else
  export { RateLimiterPostgres as default } from "rate-limiter-flexible";
}

declare module "rate-limiter-flexible/lib/RateLimiterRes.js" {
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has nothing else
  export { RateLimiterRes as default } from "rate-limiter-flexible";
}
