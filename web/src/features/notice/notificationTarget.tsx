import { codeProblem, codesIn } from '@aisle/contract/notice/merchantCodes'
import { countReceivers } from '@aisle/contract/notice/notice'
import { useDeferredValue } from 'react'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import type { Draft, DraftPart } from './draft'
import { AreaField, CheckField, RadioField, SwitchField } from './formParts'
import styles from './notification.module.css'
import formPartsStyles from './formParts.module.css'

type Choices = {
  roles: readonly { id: number; name: string; merchantName: string }[]
  merchants: readonly { code: string; name: string }[]
}

/** Whom it goes to, with the number of people while one types, and codes that name nobody by name. */
export function NotificationTarget({ draft, change, faults, roles, merchants }: DraftPart & Choices) {
  const t = useText('notice')
  const { target, merchantCodes, withChildren, roleIds } = draft
  const problem = codeProblem(merchantCodes)
  // While the first code is typed nothing is wrong yet; a full-width comma is, at once.
  const early = problem === 'fullWidth' ? t('rule.codes.fullWidth') : undefined
  const add = (code: string) => {
    if (code) change({ merchantCodes: [...codesIn(merchantCodes), code].join(',') })
  }
  return (
    <section className={formPartsStyles.formCard}>
      <h2>{t('section.target')}</h2>
      <RadioField
        label={t('field.target')}
        options={(['merchants', 'all', 'roles'] as const).map((value) => ({ value, word: t.any(`target.${value}`) }))}
        value={target}
        onChange={(value) => change({ target: value })}
      />
      {target === 'merchants' && (
        <>
          <AreaField
            label={t('field.merchantCodes')}
            rule={t('rule.merchantCodes')}
            fault={faults.merchantCodes ?? early}
            rows={3}
            value={merchantCodes}
            onChange={(value) => change({ merchantCodes: value })}
          />
          <label className={styles.targetPick}>
            {t('target.pick')}
            <select value="" onChange={(event) => add(event.target.value)}>
              <option value="">{t('target.choose')}</option>
              {merchants.map(({ code, name }) => (
                <option key={code} value={code}>
                  {code} · {name}
                </option>
              ))}
            </select>
          </label>
          <SwitchField
            label={t('field.withChildren')}
            isOn={withChildren}
            onChange={(value) => change({ withChildren: value })}
          />
        </>
      )}
      {target === 'roles' && (
        <CheckField
          label={t('field.roleIds')}
          fault={faults.roleIds}
          isLong
          options={roles.map(({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }))}
          chosen={roleIds}
          onChange={(value) => change({ roleIds: value })}
        />
      )}
      <Reach draft={draft} />
    </section>
  )
}

function Reach({ draft }: { draft: Draft }) {
  const t = useText('notice')
  const { target, merchantCodes, withChildren, roleIds } = useDeferredValue(draft)
  const asked = { target, merchantCodes: target === 'merchants' ? merchantCodes : '', withChildren, roleIds }
  const isWhole = countReceivers.input.safeParse(asked).success
  const { data } = useEndpoint(countReceivers, asked, { enabled: isWhole, errors: 'silent', staleTime: 30_000 })
  if (!isWhole) return <p className={styles.targetCount}>{t('reach.unknown')}</p>
  if (!data) return <p className={styles.targetCount}>…</p>
  if (data.unknown.length > 0) {
    return (
      <p className="fault" role="status">
        {t('reach.codes', { codes: data.unknown.slice(0, 10).join(', '), count: data.unknown.length })}
      </p>
    )
  }
  return (
    <p className={styles.targetCount} role="status">
      {t('reach', { count: data.count })}
    </p>
  )
}
