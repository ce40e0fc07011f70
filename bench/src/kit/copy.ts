import type { Client, Submittable } from 'pg'

/** What `pg` gives a query that copies in; its types know nothing of it. */
type CopyConnection = {
  query: (text: string) => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
}

/** `copy … from stdin` of text that is ready, on pg's own protocol: no file, no process, nothing between. */
export function copyIn(client: Client, statement: string, text: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    const copying = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(text)
        connection.endCopyFrom()
      },
      // The driver forgets a query that failed: nothing more comes of it.
      handleError: fail,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => done(),
    }
    client.query(copying as unknown as Submittable)
  })
}
