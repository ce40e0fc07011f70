import type { ProviderConfig } from '@aisle/contract/notice/pushSetting'
import { type Carry, CARRY_TIMEOUT_MS, notCarried } from './carrier'

type Config = Extract<ProviderConfig, { kind: 'smtp' }>

/** E-mail over SMTP. A password goes only over TLS, but to this machine itself. */
export function smtp(config: Config, secret: string): Carry {
  return async (parcel) => {
    // Loaded when the first e-mail goes: a server that sends none starts without it.
    const { createTransport } = await import('nodemailer')
    const isHere = config.host === '127.0.0.1' || config.host === 'localhost'
    const transport = createTransport({
      host: config.host,
      port: config.port,
      secure: config.isSecure,
      requireTLS: !config.isSecure && config.user !== '' && !isHere,
      ...(config.user === '' ? {} : { auth: { user: config.user, pass: secret } }),
      connectionTimeout: CARRY_TIMEOUT_MS,
      greetingTimeout: CARRY_TIMEOUT_MS,
      socketTimeout: CARRY_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      const sent = await transport.sendMail({
        from: config.from,
        to: { name: '', address: parcel.receiver },
        subject: parcel.title,
        text: parcel.body,
      })
      return { isSent: true, reference: sent.messageId.slice(0, 200) }
    } catch (cause) {
      const broken = notCarried(cause)
      return broken.isSent ? broken : { ...broken, isFinal: isRefused(cause) }
    } finally {
      transport.close()
    }
  }
}

/** 5xx (RFC 5321): the server will not take this message, however often it is offered. */
const isRefused = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && Number(Reflect.get(cause, 'responseCode')) >= 500
