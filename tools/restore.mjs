import './need-node.mjs'
import { makeReady } from './ready.mjs'

await makeReady()
await import(new URL('../server/dist/restore.js', import.meta.url).href)
