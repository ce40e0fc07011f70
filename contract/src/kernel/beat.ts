/** Each socket says something this often, in a frame: of the protocol's own pings a page hears nothing. */
export const BEAT_MS = 4_000
/** Two beats were missed: the network is cut, whatever the browser believes of the connection. */
export const SILENT_MS = 9_000
