import { LOGO_LONGEST_SIDE } from '@aisle/contract/system/picture'
import { brandColours } from '@aisle/contract/system/setting'
import type { Setting } from '@aisle/contract/system/settings'
import { useState } from 'react'
import { fenOf, yuanText } from '../../ui/amount'
import { ImageInput } from '../../admin/form/imageInput'
import { MerchantInput, ofNoForm } from '../../admin/form/refInput'
import { DayInput, TimeInput } from '../../ui/control/dayInput'
import { useText } from '../../ui/text'
import { isWindow } from './settingWords'
import styles from './settings.module.css'

type Props = {
  id: string
  setting: Setting
  value: unknown
  isDisabled: boolean
  isWrong: boolean
  onChange: (value: unknown) => void
}

/** The control that a setting's kind asks for; an emptied one means "none" where there may be none. */
export function SettingInput(props: Props) {
  const { id, setting, value, isDisabled, isWrong, onChange } = props
  const t = useText('system')
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const shared = { id, disabled: isDisabled, 'aria-invalid': isWrong }
  switch (setting.kind) {
    case 'boolean':
      return (
        <label className={styles.settingCheck}>
          <input {...shared} type="checkbox" checked={value === true} onChange={(e) => onChange(e.target.checked)} />
          {t(value === true ? 'setting.on' : 'setting.off')}
        </label>
      )
    case 'choice':
      return (
        <select {...shared} value={text} onChange={(e) => onChange(e.target.value)}>
          {setting.options?.map((option) => (
            <option key={option} value={option}>
              {t.any(`setting.${setting.key}.${option}`)}
            </option>
          ))}
        </select>
      )
    case 'day': {
      const tell = (day: string) => onChange(day === '' ? null : day)
      return <DayInput {...shared} value={text} onChange={tell} onWrong={tell} />
    }
    case 'money':
      return <MoneyInput {...props} />
    case 'window':
      return <WindowInput {...props} />
    case 'colour':
      return <ColourInput {...props} />
    case 'merchant':
      return (
        <MerchantInput
          {...ofNoForm}
          {...{ id, value, onChange, t, isInvalid: isWrong, isLocked: isDisabled }}
          name={setting.key}
          label={t.any(`setting.${setting.key}`)}
          values={{}}
        />
      )
    case 'picture':
      return (
        <ImageInput
          {...{ id, value, onChange, t }}
          {...ofNoForm}
          name={setting.key}
          label={t.any(`setting.${setting.key}`)}
          schema={setting.schema}
          longestSide={LOGO_LONGEST_SIDE}
          values={{}}
          isInvalid={isWrong}
          isLocked={isDisabled}
        />
      )
    default:
      return (
        <input
          {...shared}
          type={types[setting.kind]}
          inputMode={setting.kind === 'count' || setting.kind === 'percent' ? 'numeric' : undefined}
          value={text}
          onChange={(e) => onChange(e.target.value === '' ? null : e.target.value)}
        />
      )
  }
}

const types = { count: 'number', percent: 'number', text: 'text', url: 'url' } as const

function MoneyInput({ id, value, isDisabled, isWrong, onChange }: Props) {
  const shown = typeof value === 'number' ? yuanText(value) : ''
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      disabled={isDisabled}
      aria-invalid={isWrong}
      value={typed ?? shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(fenOf(target.value) ?? target.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

function WindowInput({ id, setting, value, isDisabled, isWrong, onChange }: Props) {
  const t = useText('system')
  const mayBeNone = setting.schema.safeParse(null).success
  const times = isWindow(value) ? value : null
  const shipped = isWindow(setting.shipped) ? setting.shipped : { from: '22:00', to: '23:00' }
  return (
    <div className={styles.settingWindow}>
      {mayBeNone && (
        <label className={styles.settingCheck}>
          <input
            type="checkbox"
            disabled={isDisabled}
            checked={times !== null}
            onChange={(e) => onChange(e.target.checked ? shipped : null)}
          />
          {t(times ? 'setting.on' : 'setting.off')}
        </label>
      )}
      {times &&
        (['from', 'to'] as const).map((end) => (
          <TimeInput
            key={end}
            id={end === 'from' ? id : undefined}
            aria-label={t(end === 'from' ? 'setting.from.time' : 'setting.to')}
            aria-invalid={isWrong}
            disabled={isDisabled}
            value={times[end]}
            onChange={(time) => onChange({ ...times, [end]: time })}
            onWrong={(time) => onChange({ ...times, [end]: time })}
          />
        ))}
    </div>
  )
}

function ColourInput({ id, value, isDisabled, isWrong, onChange }: Props) {
  const t = useText('system')
  const colour = typeof value === 'string' ? value : ''
  const isWhole = /^#[0-9a-f]{6}$/i.test(colour)
  return (
    <div className={styles.settingColours}>
      {brandColours.map((each) => (
        <button
          key={each}
          type="button"
          className={styles.settingSwatch}
          style={{ background: each }}
          aria-label={each}
          aria-pressed={each === colour}
          disabled={isDisabled}
          onClick={() => onChange(each)}
        />
      ))}
      <input
        type="color"
        aria-label={t('setting.ownColour')}
        disabled={isDisabled}
        value={isWhole ? colour : '#1557d6'}
        onChange={(e) => onChange(e.target.value)}
      />
      <input
        id={id}
        type="text"
        className={styles.settingHex}
        placeholder="#1557d6"
        maxLength={7}
        aria-invalid={isWrong}
        disabled={isDisabled}
        value={colour}
        onChange={(e) => onChange(e.target.value === '' ? null : e.target.value)}
      />
    </div>
  )
}
