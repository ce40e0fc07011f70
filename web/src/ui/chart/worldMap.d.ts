/** Made by web/vite/worldMap.ts at build time. */
declare module 'virtual:world-map' {
  export const worldMap: import('../../../vite/worldMap').WorldMap
}
