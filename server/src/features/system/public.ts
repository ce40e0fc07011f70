export { ensurePartitions } from './partitions.store'
