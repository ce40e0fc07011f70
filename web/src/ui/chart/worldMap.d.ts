/** Made by web/vite/world-map.ts at build time. */
declare module 'virtual:world-map' {
  export const worldMap: import('../../../vite/world-map').WorldMap
}
