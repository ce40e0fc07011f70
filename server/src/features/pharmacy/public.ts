export { checkPrescriptions } from './check.reads'
export { checkMedicines, holdPrescriptions } from './hold.commands'
export { countPendingPrescriptions } from './prescription.reads'
export { settlePrescriptions } from './settle.commands'
