import { expect } from 'vitest'
import type { FastifyInstance } from 'fastify'

/** A form as a browser sends it. */
export type Sent = Record<string, string | { name: string; type: string; bytes: Buffer }>

/** As `multipart/form-data`. */
export function formOf(fields: Sent): { payload: Buffer; headers: Record<string, string> } {
  const boundary = '----aisle'
  const parts = Object.entries(fields).map(([name, value]) => {
    const isText = typeof value === 'string'
    const more = isText ? '' : `; filename="${value.name}"\r\ncontent-type: ${value.type}`
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), isText ? Buffer.from(value) : value.bytes, Buffer.from('\r\n')])
  })
  const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export type Page = { status: number; text: string; location: string; headers: Record<string, unknown> }

/** A customer's browser; each may stand behind an address of its own. */
export function browserOf(app: FastifyInstance, remoteAddress = '203.0.113.7') {
  const page = (response: Awaited<ReturnType<FastifyInstance['inject']>>): Page => ({
    status: response.statusCode,
    text: response.payload,
    location: String(response.headers.location ?? ''),
    headers: response.headers,
  })
  return {
    get: async (url: string, language = 'en') =>
      page(await app.inject({ method: 'GET', url, remoteAddress, headers: { 'accept-language': language } })),
    send: async (url: string, fields: Sent, language = 'en') => {
      const { payload, headers } = formOf(fields)
      const all = { ...headers, 'accept-language': language }
      return page(await app.inject({ method: 'POST', url, remoteAddress, payload, headers: all }))
    },
  }
}

/** The token of the case that a form has made. */
export function caseIn({ status, location }: Page): string {
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/c\/case\/[\w-]{22}$/)])
  return location
}
