import { listLibraryItems, sharedFields } from '@aisle/contract/catalog/library'
import { listProducts } from '@aisle/contract/catalog/product'
import type { InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/refInput'

export const ItemInput = refInput({
  list: listLibraryItems,
  optionOf: ({ id, name, brand, specification }) => ({
    value: id,
    word: name,
    note: [brand, specification].filter(Boolean).join(' · '),
  }),
})

const ProductInput = refInput({
  list: listProducts,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})

/** One product, as the call takes several. */
export const OneProduct = ({ value, onChange, ...input }: InputProps) => (
  <ProductInput
    {...input}
    value={Array.isArray(value) ? value[0] : undefined}
    onChange={(id) => onChange(id === null ? [] : [id])}
  />
)

/** What of the library is taken over: the fields that are offered, and no others. */
export const offeredChoice = (offered: readonly string[]) =>
  function FieldChoice({ value, onChange, t, id }: InputProps) {
    const chosen = Array.isArray(value) ? value.map(String) : []
    return (
      <div id={id}>
        {sharedFields
          .filter((field) => offered.includes(field))
          .map((field) => (
            <label key={field}>
              <input
                type="checkbox"
                checked={chosen.includes(field)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, field] : chosen.filter((other) => other !== field))
                }
              />{' '}
              {t.any(`field.${field}`)}
            </label>
          ))}
      </div>
    )
  }
