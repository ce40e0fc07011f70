export { add as addRepairOrder } from './repairOrder.commands'
