/** One browser's WebSocket as a feature sees it; the transport owns the wire, its heartbeat and its limits. */
export type LiveSocket = {
  /** Drops nothing by itself: ask `bufferedBytes` and skip to the newest when the reader is slow. */
  send: (text: string) => void
  close: (code: number, reason: string) => void
  bufferedBytes: () => number
  isOpen: () => boolean
  onMessage: (hear: (text: string) => void) => void
  onClose: (hear: () => void) => void
}

export type SocketCall = { params: Record<string, string>; query: Record<string, string>; ip: string }

/**
 * What a feature wants mounted, e.g. `/ws/message/:userId`; the Origin was checked before `open`. `beat` is said every
 * few seconds, and means nothing but that the network is there.
 */
export type SocketRoute = { path: string; beat: string; open: (socket: LiveSocket, call: SocketCall) => void }
