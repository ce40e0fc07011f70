/** Made by web/vite/chinaMap.ts at build time. */
declare module 'virtual:china-map' {
  export const chinaMap: import('../../../vite/chinaMap').ChinaMap
}
