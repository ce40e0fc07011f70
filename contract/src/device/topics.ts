/** v1/m/{machineId}/up/{type} · down/cmd · down/answer · down/ack; machineId is the machine's code. */
export const PROTOCOL = 'v1'
export const upTopic = (machineCode: string, type: string) => `v1/m/${machineCode}/up/${type}`
export const downTopic = (machineCode: string, channel: 'cmd' | 'answer' | 'ack') =>
  `v1/m/${machineCode}/down/${channel}`
export const ALL_UP = 'v1/m/+/up/+'

/** The machine and type of an up topic; null for any other topic. */
export function parseUpTopic(topic: string): { machineCode: string; type: string } | null {
  const match = /^v1\/m\/([A-Za-z0-9]{3,20})\/up\/([a-z]+(?:\.[a-z]+)?)$/.exec(topic)
  return match ? { machineCode: match[1]!, type: match[2]! } : null
}

export const mayPublish = (machineCode: string, topic: string) => topic.startsWith(`v1/m/${machineCode}/up/`)
/** Exact topics or `down/#`, `down/+` below the machine's own root; wider filters would show other machines. */
export const maySubscribe = (machineCode: string, filter: string) => filter.startsWith(`v1/m/${machineCode}/down/`)
