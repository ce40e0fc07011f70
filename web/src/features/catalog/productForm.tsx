import { product } from '@aisle/contract/catalog/product'
import type { FormShape } from '../../admin/form/useForm'
import { MerchantInput } from '../../admin/form/refInput'
import { useText } from '../../ui/text'
import { BarcodesInput } from './barcodesInput'
import { PictureInput, PicturesInput } from './pictureInputs'
import { CategoryInput, ConditionsInput, TagsInput, UnitInput } from './productInputs'

/** What is typed of a product, when it is added and later; what never changes is asked once. */
export function useProductForm(isNew: boolean): FormShape {
  const t = useText('catalog')
  const fixed = isNew ? ['merchantId', 'code'] : []
  return {
    t,
    fields: product.fields,
    groups: [
      { key: 'named', names: [...fixed, 'name', 'brand', 'specification', 'unit', 'manufacturer'] },
      { key: 'pictures', names: ['picture', 'pictures'] },
      { key: 'priced', names: ['costFen', 'priceFen', 'isJointVenture'] },
      { key: 'codes', names: ['barcodes', 'externalCode'] },
      { key: 'sorted', names: ['categoryId', 'tags', 'conditionIds'] },
      { key: 'shelf', names: ['shelfLifeDays', 'producedOn', 'bestBefore'] },
      { key: 'remarks', names: ['remark'] },
    ],
    needed: ['picture'],
    inputs: {
      merchantId: MerchantInput,
      picture: PictureInput,
      pictures: PicturesInput,
      barcodes: BarcodesInput,
      categoryId: CategoryInput,
      conditionIds: ConditionsInput,
      unit: UnitInput,
      tags: TagsInput,
    },
  }
}
