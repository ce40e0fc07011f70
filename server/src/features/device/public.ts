export { type BatchOf, queueBatch } from './batch.commands'
export { type NewCommand, queueCommands } from './command.store'
