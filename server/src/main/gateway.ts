import { takeTurns, type Turn } from '../db/turn'
import { machineGate } from '../features/device/link/gate'
import { startGateway } from '../features/device/link/gateway'
import type { Bus } from '../kernel/announce'
import type { Services } from '../kernel/context'
import type { MachineLink } from '../kernel/machineLink'
import { openEmbeddedBroker } from '../transport/mqtt/embedded'
import { openExternalBroker } from '../transport/mqtt/external'
import type { Config } from './config'
import { asStartError } from './serve'

export type RunningGateway = { isReady: () => boolean; depth: () => number; mqttUrl: string; stop: () => Promise<void> }

/** The machines' door: the embedded broker, or the operator's own, and what takes their messages in. */
export async function openGateway(
  services: Services,
  bus: Bus,
  config: Config,
  databaseUrl: string,
): Promise<RunningGateway> {
  const link = await openLink(services, config, databaseUrl)
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

/** Any fixed number: who holds this lock listens to a broker that cannot share. */
const LISTENER_LOCK = 7_650_001

async function openLink(services: Services, config: Config, databaseUrl: string): Promise<MachineLink> {
  const { mqttUrl, isMqttShared, mqttPort, host } = config
  if (mqttUrl) {
    const inTurn = (turn: Turn) => takeTurns(databaseUrl, LISTENER_LOCK, turn)
    const onError = (err: Error) => services.log.warn({ err }, 'broker')
    return openExternalBroker(mqttUrl, onError, isMqttShared ? undefined : inTurn)
  }
  try {
    return await openEmbeddedBroker(host, mqttPort, machineGate(services))
  } catch (cause) {
    throw asStartError(cause, `${host}:${mqttPort}`, 'MQTT_PORT')
  }
}
