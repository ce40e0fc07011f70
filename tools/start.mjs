import './need-node.mjs'
import { makeReady } from './ready.mjs'

await makeReady()

// npm runs this through a shell that passes no signal on: who ends npm by `kill` would leave the server behind.
const parent = process.ppid
const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
if (process.env.npm_lifecycle_event) setInterval(watch, 500).unref()

process.setSourceMapsEnabled(true)
process.env.DEMO ??= '1'
await import(new URL('../server/dist/main.js', import.meta.url).href)
