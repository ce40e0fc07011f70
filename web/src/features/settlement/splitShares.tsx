import { listSplitReceivers } from '@aisle/contract/settlement/splitReceiver'
import { MOST_SPLIT_LINES } from '@aisle/contract/settlement/splitStates'
import { useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { fenOf, yuanText } from '../../ui/amount'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

export type Share = { receiverId: number; ratePercent: number | null; fixedFen: number | null }
export const sharesIn = (value: unknown): Share[] => (Array.isArray(value) ? (value as Share[]) : [])

/** Receivers that the channel knows, in the order in which they get their shares, each by rate or by amount. */
export const SharesInput = groupInput(function Shares({ id, label, value, onChange, onBlur }: InputProps) {
  const t = useText('settlement')
  const { data } = useEndpoint(
    listSplitReceivers,
    { state: 'bound', pageSize: 200 },
    { errors: 'silent', staleTime: 5_000 },
  )
  const shares = sharesIn(value)
  const known = data?.items ?? []
  const nameOf = (receiverId: number) => {
    const one = known.find((each) => each.id === receiverId)
    return one ? `${one.receiverName} · ${t(`method.${one.provider}`)}` : String(receiverId)
  }
  const set = (at: number, change: Partial<Share>) =>
    onChange(shares.map((share, index) => (index === at ? { ...share, ...change } : share)))
  const left = known.filter((each) => !shares.some(({ receiverId }) => receiverId === each.id))
  if (data && known.length === 0) return <span className="quiet">{t('split.noReceivers')}</span>
  return (
    <div id={id} className={styles.shares} onBlur={onBlur}>
      <ul aria-label={label} className={styles.shareList}>
        {shares.map((share, at) => (
          <li key={share.receiverId}>
            <strong>{nameOf(share.receiverId)}</strong>
            <Terms share={share} name={nameOf(share.receiverId)} onSet={(change) => set(at, change)} />
            <button
              type="button"
              className="icon-btn"
              aria-label={t('split.up', { name: nameOf(share.receiverId) })}
              disabled={at === 0}
              onClick={() => onChange(movedUp(shares, at))}
            >
              <span aria-hidden="true">↑</span>
            </button>
            <button
              type="button"
              className="icon-btn"
              aria-label={t('split.removeShare', { name: nameOf(share.receiverId) })}
              onClick={() => onChange(shares.filter((_, index) => index !== at))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {shares.length < MOST_SPLIT_LINES && left.length > 0 && (
        <select
          aria-label={t('split.addShare')}
          value=""
          onChange={({ target }) =>
            target.value &&
            onChange([...shares, { receiverId: Number(target.value), ratePercent: null, fixedFen: null }])
          }
        >
          <option value="">{t('split.addShare')}</option>
          {left.map((each) => (
            <option key={each.id} value={each.id}>
              {nameOf(each.id)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
})

const movedUp = (shares: readonly Share[], at: number): Share[] => {
  const before = shares[at - 1]
  const one = shares[at]
  return before && one ? [...shares.slice(0, at - 1), one, before, ...shares.slice(at + 1)] : [...shares]
}

type TermsProps = { share: Share; name: string; onSet: (change: Partial<Share>) => void }

function Terms({ share, name, onSet }: TermsProps) {
  const t = useText('settlement')
  const [way, setWay] = useState<'rate' | 'fixed'>(share.fixedFen === null ? 'rate' : 'fixed')
  const [typed, setTyped] = useState(
    way === 'rate' ? String(share.ratePercent ?? '') : share.fixedFen === null ? '' : yuanText(share.fixedFen),
  )
  const say = (text: string, as: 'rate' | 'fixed') => {
    setTyped(text)
    const percent = /^\d{1,3}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : null
    onSet(as === 'rate' ? { ratePercent: percent, fixedFen: null } : { ratePercent: null, fixedFen: fenOf(text) })
  }
  return (
    <>
      <select
        aria-label={`${name} ${t('split.way')}`}
        value={way}
        onChange={({ target }) => {
          const next = target.value === 'fixed' ? 'fixed' : 'rate'
          setWay(next)
          say('', next)
        }}
      >
        <option value="rate">{t('split.way.rate')}</option>
        <option value="fixed">{t('split.way.fixed')}</option>
      </select>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={`${name} ${t(`split.way.${way}`)}`}
        aria-invalid={(typed !== '' && share.ratePercent === null && share.fixedFen === null) || undefined}
        value={typed}
        onChange={({ target }) => say(target.value, way)}
      />
    </>
  )
}
