// @ts-check
import { appendFileSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'

/**
 * Loaded into a server's process before its own code (`node --import`), which it leaves as it is: each moment before
 * and after something cannot be taken back any more – a commit, a packet to a machine, a call to another program, an
 * answer to one – has a name and a count, is written down, and is the last one if that was wished for.
 *
 * The folder `POINTS` holds `at`: the round that is counted and the point to die at, a line each; and `passed`.
 */
const folder = process.env.POINTS ?? ''
const mqttPort = Number(process.env.MQTT_PORT)
/** A name elsewhere, that leads here: callbacks to this machine's own addresses are refused. */
const ELSEWHERE = 'shop.elsewhere.example'

let round = ''
/** @type {Map<string, number>} */
const counts = new Map()

/** @param {string} name */
function pass(name) {
  const [counted = '', wanted = ''] = readFileSync(join(folder, 'at'), 'utf8').split('\n')
  if (counted === '') return
  if (counted !== round) counts.clear()
  round = counted
  const nth = (counts.get(name) ?? 0) + 1
  counts.set(name, nth)
  const point = `${name} #${nth}`
  appendFileSync(join(folder, 'passed'), `${point}\n`)
  if (point === wanted) process.kill(process.pid, 'SIGKILL')
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} run
 */
async function around(name, run) {
  pass(`before ${name}`)
  const outcome = await run()
  pass(`after ${name}`)
  return outcome
}

if (folder !== '') {
  watchDatabase()
  watchPackets()
  watchCalls()
  watchAnswers()
  syncBuiltinESMExports()
}

/** Of each connection what its transaction has written so far; nothing while there is none. */
function watchDatabase() {
  const { Client } = createRequire(process.argv[1] ?? '')('pg')
  const { query } = Client.prototype
  /** @type {WeakMap<object, Set<string>>} */
  const open = new WeakMap()
  /** @param {any[]} call */
  Client.prototype.query = function (...call) {
    const name = commitIn(this, typeof call[0] === 'string' ? call[0] : (call[0]?.text ?? ''), open)
    if (name === '') return query.apply(this, call)
    const heard = call.at(-1)
    if (typeof heard !== 'function') return around(name, () => query.apply(this, call))
    pass(`before ${name}`)
    /** @type {(error: unknown, result: unknown) => void} */
    const hear = (error, result) => {
      if (!error) pass(`after ${name}`)
      heard(error, result)
    }
    return query.apply(this, [...call.slice(0, -1), hear])
  }
}

/**
 * @param {object} client
 * @param {string} text
 * @param {WeakMap<object, Set<string>>} open
 * @returns {string} of what makes writes durable, '' for anything else
 */
function commitIn(client, text, open) {
  const written = open.get(client)
  const [, verb = ''] = /^\s*(begin|start transaction|commit|rollback)\b/i.exec(text) ?? []
  if (verb === '') {
    const tables = tablesIn(text)
    if (!written) return tables.length > 0 ? `write ${tables.join('+')}` : ''
    for (const table of tables) written.add(table)
    return ''
  }
  if (/^(begin|start)/i.test(verb)) open.set(client, new Set())
  else open.delete(client)
  return verb.toLowerCase() === 'commit' && written?.size ? `commit ${[...written].sort().join('+')}` : ''
}

/** @param {string} text */
function tablesIn(text) {
  if (/graphile_worker\W+_private_/.test(text)) return /delete from/.test(text) ? ['end of a job'] : []
  const written = text.matchAll(/(?<!\bfor |\bno key )\b(?:insert into|delete from|update)\s+"?(\w+)/gi)
  const tables = [...written].map(([, table = '']) => table).filter((table) => table !== 'set')
  return [...new Set([...tables, ...(text.includes('graphile_worker.add_job') ? ['job'] : [])])]
}

/** What the broker says to machines: acknowledgements, answers, commands, and that it has what they sent. */
function watchPackets() {
  /** @type {any} */
  const socket = Socket.prototype
  const { _write: write, _writev: writev } = socket
  /** @type {WeakMap<object, Buffer>} */
  const begun = new WeakMap()
  /** @type {(to: Socket, data: Buffer[], send: (done: (error?: Error) => void) => void, done: Function) => void} */
  const watched = (to, data, send, done) => {
    if (to.localPort !== mqttPort) return send((error) => done(error))
    const { names, rest } = packetsIn(Buffer.concat([begun.get(to) ?? Buffer.alloc(0), ...data]))
    begun.set(to, rest)
    for (const name of names) pass(`before ${name}`)
    send((error) => {
      if (!error) for (const name of names) pass(`after ${name}`)
      done(error)
    })
  }
  /** @type {(chunk: any, encoding: BufferEncoding, done: Function) => void} */
  socket._write = function (chunk, encoding, done) {
    watched(this, [Buffer.from(chunk, encoding)], (sent) => write.call(this, chunk, encoding, sent), done)
  }
  /** @type {(chunks: { chunk: any, encoding: BufferEncoding }[], done: Function) => void} */
  socket._writev = function (chunks, done) {
    const data = chunks.map(({ chunk, encoding }) => Buffer.from(chunk, encoding))
    watched(this, data, (sent) => writev.call(this, chunks, sent), done)
  }
}

const PUBLISH = 3
const PUBACK = 4

/** @param {Buffer} bytes whole packets, and perhaps the beginning of one */
function packetsIn(bytes) {
  const names = []
  let at = 0
  for (;;) {
    const { head, length } = sizeOf(bytes, at)
    const end = at + head + length
    if (head === 0 || end > bytes.length) return { names, rest: bytes.subarray(at) }
    const type = (bytes[at] ?? 0) >> 4
    if (type === PUBACK) names.push('say puback')
    if (type === PUBLISH) {
      const from = at + head + 2
      const topic = bytes.toString('utf8', from, from + bytes.readUInt16BE(at + head))
      names.push(`say ${topic.split('/').at(-1)}`)
    }
    at = end
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @returns how long a packet's head is, 0 where it isn't whole, and what follows it
 */
function sizeOf(bytes, at) {
  let length = 0
  for (let place = 0; place < 4 && at + 1 + place < bytes.length; place += 1) {
    const digit = bytes[at + 1 + place] ?? 0
    length += (digit & 127) * 128 ** place
    if (digit < 128) return { head: 2 + place, length }
  }
  return { head: 0, length: 0 }
}

/** To payment providers by `fetch`, to partners by `http`. */
function watchCalls() {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    return around(`call ${init?.method ?? 'GET'} ${withoutNumbers(pathname)}`, () => fetch(input, init))
  }
  /** @type {(...given: any[]) => http.ClientRequest} */
  const request = http.request
  /** @param {any[]} given */
  const watched = (...given) => {
    pass('before callback')
    return request(...given).once('response', () => pass('after callback'))
  }
  http.request = watched
  const { connect } = Socket.prototype
  /** @param {any[]} given */
  Socket.prototype.connect = function (...given) {
    const options = Array.isArray(given[0]) ? given[0][0] : given[0]
    if (options?.host === ELSEWHERE) Object.assign(options, { host: '127.0.0.1', lookup: undefined })
    return Reflect.apply(connect, this, given)
  }
}

/** To providers that notify and partners that ask. */
function watchAnswers() {
  /** @type {any} */
  const response = http.ServerResponse.prototype
  const { end } = response
  /** @param {any[]} given */
  response.end = function (...given) {
    const { method, url } = this.req
    if (method !== 'POST') return end.apply(this, given)
    const name = `answer ${withoutNumbers(url.split('?', 1)[0])}`
    pass(`before ${name}`)
    this.once('finish', () => pass(`after ${name}`))
    return end.apply(this, given)
  }
}

/** @param {string} path */
const withoutNumbers = (path) => path.replaceAll(/\/(?=[\w-]*\d)[\w-]{6,}/g, '/…')
