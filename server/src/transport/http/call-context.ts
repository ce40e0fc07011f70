import type { Language } from '@aisle/contract/kernel/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallContext, Services } from '../../kernel/context'

const DEVICE_COOKIE = 'aisle_device'

export function callContext(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  language: Language,
): CallContext {
  return {
    services,
    db: services.db,
    now: services.clock.now,
    language,
    traceId: request.id,
    ip: ipOf(request),
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    origin: request.headers.origin ?? '',
    deviceCookie: cookieIn(request.headers.cookie),
    keepDevice: (value, maxAgeS) => {
      const secure = request.protocol === 'https' ? '; Secure' : ''
      const rest = `Path=/sram; Max-Age=${Math.floor(maxAgeS)}; HttpOnly; SameSite=Strict${secure}`
      reply.header('set-cookie', `${DEVICE_COOKIE}=${encodeURIComponent(value)}; ${rest}`)
    },
  }
}

/** Working out a proxy's word costs more than the rest of this; most calls come without one. */
const ipOf = (request: FastifyRequest): string =>
  request.headers['x-forwarded-for'] === undefined ? (request.socket.remoteAddress ?? '') : request.ip

function cookieIn(header: string | undefined): string | null {
  for (const part of header?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2)
    if (name === DEVICE_COOKIE && value) return decoded(value)
  }
  return null
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
