import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Child = {
  port: number
  /** Sends a message and waits for the next one back. */
  ask: (message: object) => Promise<unknown>
  tell: (message: object) => void
  stop: () => Promise<void>
}

/**
 * A child module of the bench in a process of its own, so that it has a core to itself; its first message is its
 * port.
 */
export async function startChild(name: string, options: string[]): Promise<Child> {
  const path = fileURLToPath(new URL(`./${name}.child.js`, import.meta.url))
  const child = fork(path, options, {
    execArgv: ['--expose-gc', '--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const port = Number(await nextMessage(child))
  const tell = (message: object) => void child.send(message)
  const ask = (message: object) => {
    const answer = nextMessage(child)
    tell(message)
    return answer
  }
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await ended
  }
  return { port, ask, tell, stop }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((done, fail) => {
    const ended = (code: number | null) => fail(new Error(`the child ended (${code})`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      done(message)
    })
  })
}
