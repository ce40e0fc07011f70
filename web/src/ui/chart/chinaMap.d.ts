/** Made by web/vite/china-map.ts at build time. */
declare module 'virtual:china-map' {
  export const chinaMap: import('../../../vite/china-map').ChinaMap
}
