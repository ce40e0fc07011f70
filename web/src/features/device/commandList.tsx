import { commandFields, getCommand, listCommands } from '@aisle/contract/device/command'
import { listPage } from '../../admin/listPage'
import { GivenFilter } from '../../shelf/pickFilters'
import { CommandDrawer } from './commandDrawer'
import { SendMany } from './sendMany'

/** What was asked of machines and what came of it, newest first. */
export const CommandList = listPage({
  screen: 'shj/jqzc',
  part: 'commands',
  list: listCommands,
  fields: commandFields,
  words: 'device',
  columns: [
    'type',
    'machineCode',
    'state',
    'lateState',
    'reason',
    'createdBy',
    'createdAt',
    'finishedAt',
    'detail',
    'machineName',
    'merchantName',
    'expiresAt',
  ],
  hidden: ['machineName', 'merchantName', 'expiresAt'],
  filters: ['machineCode', 'type', 'state'],
  moreFilters: ['by', 'createdBy', 'period', 'batchId'],
  filterInputs: { batchId: GivenFilter },
  presets: [
    { name: 'people', query: () => ({ by: 'person' }) },
    { name: 'failed', query: () => ({ by: 'person', state: 'failed' }) },
    { name: 'expired', query: () => ({ by: 'person', state: 'expired' }) },
  ],
  actions: SendMany,
  drawer: CommandDrawer,
  live: { topic: 'commands', also: [getCommand] as const },
})
