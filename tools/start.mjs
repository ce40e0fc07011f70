import './need-node.mjs'
import { makeReady } from './ready.mjs'

// Pages are built while the network is made, which waits for the database half of the time.
const { apart: pages } = await makeReady({ apart: ['web'] })

// npm runs this through a shell that passes no signal on: who ends npm by `kill` would leave the server behind.
const parent = process.ppid
const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
if (process.env.npm_lifecycle_event) setInterval(watch, 500).unref()

process.setSourceMapsEnabled(true)
process.env.DEMO ??= '1'
const { start } = await import(new URL('../server/dist/start.js', import.meta.url).href)
await start(pages)
