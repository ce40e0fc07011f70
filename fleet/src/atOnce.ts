import { Socket } from 'node:net'
import type { MqttClient } from 'mqtt'

/**
 * Each packet leaves when it is written: Nagle's wait for an acknowledgement that the other side holds back for 40 ms
 * would be most of the time that a sale takes to be told. mqtt.js has no option for it.
 */
export function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay()
}
