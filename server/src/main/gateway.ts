import { machineGate } from '../features/device/gate'
import { startGateway } from '../features/device/gateway'
import type { Bus } from '../kernel/announce'
import type { Services } from '../kernel/context'
import type { MachineLink } from '../kernel/machineLink'
import { openEmbeddedBroker } from '../transport/mqtt/embedded'
import { openExternalBroker } from '../transport/mqtt/external'
import type { Config } from './config'
import { asStartError } from './serve'

export type RunningGateway = { isReady: () => boolean; depth: () => number; mqttUrl: string; stop: () => Promise<void> }

/** The machines' door: the embedded broker, or the operator's own, and what takes their messages in. */
export async function openGateway(services: Services, bus: Bus, config: Config): Promise<RunningGateway> {
  const link = await openLink(services, config)
  const gateway = startGateway(services, link, bus)
  return {
    isReady: link.isReady,
    depth: gateway.depth,
    mqttUrl: config.mqttUrl ?? `mqtt://${nearHost(config.host)}:${config.mqttPort}`,
    stop: async () => {
      // The broker first: what it has not acknowledged, machines send again.
      await link.stop()
      await gateway.stop()
    },
  }
}

/** Where a program on this machine reaches what listens on `host`. */
function nearHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function openLink(services: Services, { mqttUrl, mqttPort, host }: Config): Promise<MachineLink> {
  if (mqttUrl) return openExternalBroker(mqttUrl, (err) => services.log.warn({ err }, 'broker'))
  try {
    return await openEmbeddedBroker(host, mqttPort, machineGate(services))
  } catch (cause) {
    throw asStartError(cause, `${host}:${mqttPort}`, 'MQTT_PORT')
  }
}
