import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { listPlays, getPlay, summarisePlays } from '@aisle/contract/lottery/play'
import {
  checkPrizeCode,
  isPrizeCode,
  listRedemptions,
  redeemPrize,
  redemptionFields,
} from '@aisle/contract/lottery/prizeCode'
import { type FormEvent, useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { Fault } from '../../admin/form/fault'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { placeInput } from './placeInput'
import styles from './prizeCheck.module.css'

/** A scanner types and presses enter, as a person does. */
export function PrizeCheck() {
  const t = useText('lottery')
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  const isWrong = code !== '' && !isPrizeCode(code)
  const check = (event: FormEvent) => {
    event.preventDefault()
    setCode(typed.trim())
  }
  return (
    <section className={styles.check} aria-label={t('prizeCode.check')}>
      <form className={styles.ask} onSubmit={check}>
        <div className="field">
          <label htmlFor="prize-code" className="field-label">
            {t('field.code.prize')}
          </label>
          <input
            id="prize-code"
            className="input-code"
            value={typed}
            autoComplete="off"
            maxLength={40}
            aria-invalid={isWrong || undefined}
            aria-describedby="prize-code-note"
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <button type="submit" className="btn btn-main" disabled={typed.trim() === ''}>
          {t('prizeCode.check')}
        </button>
        <small id="prize-code-note" className={isWrong ? 'fault' : 'quiet'}>
          {t(isWrong ? 'rule.prizeCode' : 'prizeCode.lead')}
        </small>
      </form>
      {code !== '' && !isWrong && <Checked code={code} />}
    </section>
  )
}

function Checked({ code }: { code: string }) {
  const { data, error, refetch } = useEndpoint(checkPrizeCode, { code }, { errors: 'throw' })
  if (data) return <Prize prize={data} code={code} />
  if (error?.code === 'prizeCode.unknown') return <Fault failure={error} />
  return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
}

const shown = [listRedemptions, checkPrizeCode, listPlays, getPlay, summarisePlays] as const

function Prize({ prize, code }: { prize: OutputOf<typeof checkPrizeCode>; code: string }) {
  const t = useText('lottery')
  const { outcome, productName, picture, places, machineCode, machineName, playId, orderNo } = prize
  const isValid = outcome === 'valid'
  return (
    <div className={styles.prize}>
      <Picture src={picture} size={96} />
      <div>
        <p role="status">
          <Tag tone={isValid ? 'good' : 'bad'} word={t(`prizeCode.outcome.${outcome}`)} />
        </p>
        <Facts
          facts={[
            { label: t('field.productName'), value: productName },
            { label: t('field.prizeFen'), value: <Money fen={prize.prizeFen} /> },
            { label: t('field.machineName'), value: `${machineCode} ${machineName} · ${prize.slotCode}` },
            { label: t('field.wonAt'), value: <When at={prize.wonAt} /> },
            { label: t('field.collectedAt'), value: prize.collectedAt && <When at={prize.collectedAt} /> },
            {
              label: t('field.orderNo'),
              value: (
                <ScreenLink screen="jygl/hgxq" search={{ open: String(playId) }}>
                  {orderNo}
                </ScreenLink>
              ),
            },
          ]}
        />
        <CommandButton
          endpoint={redeemPrize}
          verb="redeemPrize"
          t={t}
          tone="main"
          fields={redemptionFields}
          target={{ code }}
          vars={{ product: productName }}
          names={['placeId']}
          inputs={{ placeId: placeInput(places) }}
          initial={{ placeId: places[0]?.id ?? null }}
          isEnabled={isValid}
          changes={shown}
        />
      </div>
    </div>
  )
}
