import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chinaMapPlugin } from './vite/chinaMap.ts'
import { chunksPlugin } from './vite/chunks.ts'
import { precompressPlugin } from './vite/precompress.ts'
import { signInCallsPlugin } from './vite/signInCalls.ts'
import { worldMapPlugin } from './vite/worldMap.ts'

const SERVER = process.env.AISLE_SERVER ?? 'http://127.0.0.1:8080'
const calls = ['/api', '/sram', '/user', '/service-order', '/pictures', '/healthz', '/readyz']

export default defineConfig({
  plugins: [react(), chinaMapPlugin(), worldMapPlugin(), signInCallsPlugin(), chunksPlugin(), precompressPlugin()],
  /** The server puts a fresh nonce in its place with every page. */
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'baseline-widely-available',
    /** A `data:` address would ask for a wider content security policy. */
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: true,
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: {
      ...Object.fromEntries(calls.map((path) => [path, { target: SERVER, xfwd: false }])),
      '^/c/': { target: SERVER, xfwd: false },
      '/ws': { target: SERVER, ws: true },
    },
  },
})
