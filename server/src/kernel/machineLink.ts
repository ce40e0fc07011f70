/** What came in on a topic, as the broker gave it. `sender` is the signed-in machine where the broker knows it. */
export type RawMessage = { topic: string; payload: Buffer; sender: string | null }

/** The gateway's side of a broker, embedded or external; transport/mqtt gives it, features/device uses it. */
export type MachineLink = {
  onMessage: (handler: (message: RawMessage) => void) => void
  /** QoS 1, never retained: a machine that comes back a day later must not ship again. */
  publish: (topic: string, payload: string) => void
  /** Ends a machine's connection; an external broker ends its own. */
  drop: (machineCode: string) => void
  isReady: () => boolean
  stop: () => Promise<void>
}

/** What an embedded broker asks before it lets a machine in; external brokers ask their own list. */
export type MachineGate = {
  mayConnect: (machineCode: string, secret: string) => Promise<boolean>
  /** Told when a signed-in machine tried a topic that isn't its own. */
  onForbidden: (machineCode: string, topic: string) => void
  /** Told when a connection was ended because it sent more than any message has; '' before anybody signed in. */
  onTooLarge: (machineCode: string, bytes: number) => void
}
