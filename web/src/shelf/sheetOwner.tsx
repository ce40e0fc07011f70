import { useId } from 'react'
import { MerchantInput } from '../admin/form/refInput'
import { useText } from '../ui/text'

/** Whose the rows of a sheet become: of one merchant each time. */
export function SheetOwner({ value, onPick }: { value: number | null; onPick: (merchantId: number | null) => void }) {
  const kit = useText('admin')
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {kit('sheet.owner')}
      </label>
      <MerchantInput
        id={id}
        name="merchantId"
        label={kit('sheet.owner')}
        value={value}
        onChange={(next) => onPick(typeof next === 'number' ? next : null)}
        onBlur={() => undefined}
        isInvalid={false}
        isLocked={false}
        isRequired
        hasFocus={false}
        describedBy={undefined}
        field={undefined}
        schema={undefined}
        t={kit}
        values={{}}
      />
    </div>
  )
}
