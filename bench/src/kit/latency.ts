import { Agent, request } from 'node:http'

export type Calls = { port: number; paths: readonly string[]; token: string; clients: number; calls: number }

/** Asks for the paths in turn, so many clients at once. @returns each call's milliseconds */
export async function latencies({ port, paths, token, clients, calls }: Calls): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const took: number[] = []
  let next = 0
  const ask = async () => {
    while (next < calls) {
      const path = paths[next % paths.length] ?? ''
      next += 1
      const startedMs = performance.now()
      await answered(agent, port, path, token)
      took.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, ask))
  agent.destroy()
  return took
}

function answered(agent: Agent, port: number, path: string, token: string): Promise<void> {
  return new Promise((done, fail) => {
    const asked = request({ agent, port, path, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) fail(new Error(`${path} answered ${answer.statusCode}`))
      answer.on('end', done).resume()
    })
    asked.on('error', fail).end()
  })
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
