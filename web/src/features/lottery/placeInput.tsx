import { countText } from '../../admin/fields/number'
import type { InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'

type Place = { id: number; name: string; kind: string; quantity: number }

/** The places that have the prize, and none of them. */
export const placeInput = (places: readonly Place[]) =>
  function PlaceInput({ id, value, onChange, label }: InputProps) {
    const t = useText('lottery')
    return (
      <select
        id={id}
        aria-label={label}
        value={String(value ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        {places.map((place) => (
          <option key={place.id} value={place.id}>
            {t.any(`place.${place.kind}`, { name: place.name, count: countText(place.quantity) })}
          </option>
        ))}
        <option value="">{t('place.outside')}</option>
      </select>
    )
  }
