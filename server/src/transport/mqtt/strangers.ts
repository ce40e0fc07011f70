import { isIPv6, type Socket } from 'node:net'

export type StrangerLimits = { bytes: number; ms: number; perAddress: number; inAll: number }

/**
 * Until a connection has signed in nobody knows whose it is. A sign-in with its last will is far smaller and takes
 * milliseconds; a town that comes back behind one address does not need a thousand of them in one moment.
 */
export const strangerLimits: StrangerLimits = { bytes: 8 * 1024, ms: 10_000, perAddress: 1_000, inAll: 4_000 }

export type Strangers = {
  enter: (socket: Socket) => void
  /** It has signed in. */
  leave: (socket: Socket) => void
  has: (socket: Socket) => boolean
  turnOutAll: () => void
}

/**
 * Keeps those that have not signed in few and short-lived. Where there are too many the oldest goes and the newest
 * stays: who means to sign in does so at once, and who only holds a place loses it.
 */
export function openStrangers(limits: StrangerLimits): Strangers {
  const waiting = new Map<Socket, { address: string; timer: NodeJS.Timeout }>()
  const byAddress = new Map<string, Set<Socket>>()
  const leave = (socket: Socket) => {
    const known = waiting.get(socket)
    if (!known) return
    clearTimeout(known.timer)
    waiting.delete(socket)
    const own = byAddress.get(known.address)
    own?.delete(socket)
    if (own?.size === 0) byAddress.delete(known.address)
  }
  const turnOut = (socket: Socket | undefined) => {
    if (!socket) return
    leave(socket)
    socket.destroy()
  }
  return {
    enter: (socket) => {
      const address = sourceOf(socket.remoteAddress ?? '')
      const own = byAddress.get(address) ?? new Set<Socket>()
      waiting.set(socket, { address, timer: setTimeout(() => turnOut(socket), limits.ms) })
      byAddress.set(address, own.add(socket))
      socket.once('close', () => leave(socket))
      if (own.size > limits.perAddress) turnOut(own.values().next().value)
      if (waiting.size > limits.inAll) turnOut(waiting.keys().next().value)
    },
    leave,
    has: (socket) => waiting.has(socket),
    turnOutAll: () => {
      for (const socket of waiting.keys()) turnOut(socket)
    },
  }
}

/** Of IPv6 the network, since one customer of a provider has all its addresses. */
function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('::', 2)
  const before = head.split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - before.length - tail.split(':').filter(Boolean).length
  return [...before, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}

/** The type and length that a packet of MQTT announces with its first bytes; undefined while they have not come. */
export function announced(start: Buffer): { isConnect: boolean; bytes: number } | undefined {
  let bytes = 0
  for (let at = 1; at <= 4 && at < start.length; at += 1) {
    const byte = start[at] ?? 0
    bytes += (byte & 0x7f) * 128 ** (at - 1)
    if (byte < 0x80) return { isConnect: start[0] === 0x10, bytes }
  }
  return undefined
}
