export { cashMeasured } from './record/cash.reads'
export { queueBatch } from './command/batch.commands'
export { queueCommands } from './command/command.store'
export { announceShipments } from './sale/shipment.commands'
