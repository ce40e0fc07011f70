export { queueBatch } from './batch.commands'
export { queueCommands } from './command.store'
