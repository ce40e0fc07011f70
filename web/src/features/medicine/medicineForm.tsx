import { ScansInput } from '../../shelf/scansInput'
import { dictionaryInput } from '../../shelf/dictionaryInput'
import { ApprovalInput, ClassInput } from './lawInputs'
import { categoryInput, ConditionsInput } from './categoryInputs'
import { BarcodesInput, PrefixesInput, WordsInput } from './listedInputs'

export const medicineInputs = {
  medicineClass: ClassInput,
  approvalNumber: ApprovalInput,
  categoryId: categoryInput('medicine'),
  conditionIds: ConditionsInput,
  dosageForm: dictionaryInput('dosageForm'),
  ingredients: WordsInput,
  tags: WordsInput,
  barcodes: BarcodesInput,
  tracePrefixes: PrefixesInput,
  pictures: ScansInput,
}

/** What a pharmacist asks for first stands first: what it is, and what the law says of it. */
export const medicineGroups = [
  {
    key: 'what',
    names: [
      'merchantId',
      'code',
      'name',
      'picture',
      'specification',
      'dosageForm',
      'manufacturer',
      'brand',
      'categoryId',
    ],
  },
  { key: 'law', names: ['medicineClass', 'approvalNumber', 'storage', 'limitGroup', 'minAge'] },
  { key: 'price', names: ['costFen', 'priceFen', 'unit'] },
  {
    key: 'use',
    names: ['ingredients', 'notFor', 'doseUnit', 'unitsPerPack', 'maxDailyUnits', 'maxDays', 'conditionIds'],
  },
  { key: 'pack', names: ['barcodes', 'tracePrefixes', 'shelfLifeDays', 'producedOn', 'bestBefore', 'externalCode'] },
  { key: 'more', names: ['isJointVenture', 'tags', 'pictures', 'remark'] },
]
