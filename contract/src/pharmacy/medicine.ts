import { z } from 'zod'
import { medicineClasses } from '../catalog/product'
import { endpoint, listEndpoint, zSearch } from '../kernel/endpoint'

/** What a doctor and a pharmacist are warned of, worst first; each is worded as `warning.<kind>`. */
export const warningKinds = [
  'allergy',
  'notFor',
  'tooYoung',
  'pair',
  'ingredientTwice',
  'overDaily',
  'overLimit',
  'overDays',
  'overQuantity',
] as const
export type WarningKind = (typeof warningKinds)[number]

/** `facts` are the words and figures of its sentence. */
export const warning = z.object({
  kind: z.enum(warningKinds),
  productIds: z.array(z.int()),
  facts: z.record(z.string(), z.string()),
})
export type Warning = z.output<typeof warning>

const medicine = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  specification: z.string(),
  manufacturer: z.string(),
  medicineClass: z.enum(medicineClasses),
  dosageForm: z.string(),
  doseUnit: z.string(),
  unitsPerPack: z.int(),
  picture: z.string().nullable(),
  /** Machines in reach of the merchant's doctors that hold some now. */
  machineCount: z.int(),
})

export const listMedicineChoices = listEndpoint({
  name: 'pharmacy.listMedicineChoices',
  path: '/api/medicine-choices',
  access: 'prescription.write',
  summary: 'Medicines that a doctor of the merchant may write down, what machines hold first',
  filters: { q: zSearch.optional() },
  sorts: ['name'],
  item: medicine,
})

export const getPractice = endpoint({
  name: 'pharmacy.getPractice',
  method: 'GET',
  path: '/api/practice',
  access: 'prescription.read',
  input: z.strictObject({}),
  output: z.object({
    profession: z.enum(['doctor', 'pharmacist']).nullable(),
    /** The licence to practise holds today. */
    isInForce: z.boolean(),
    hospitalId: z.int().nullable(),
    hospitalName: z.string().nullable(),
    department: z.string(),
    hospitals: z.array(z.object({ id: z.int(), name: z.string() })),
    validDays: z.int(),
  }),
  summary: 'What the caller is by profession, where they work, and how long prescriptions hold',
})
