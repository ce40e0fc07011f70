export { queueBatch } from './batch.commands'
export { queueCommands } from './command.store'
export { announceShipments } from './shipment.commands'
