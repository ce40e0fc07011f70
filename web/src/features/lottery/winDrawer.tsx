import { listWins, type WinRow } from '@aisle/contract/lottery/statistics'
import { screenOf } from '@aisle/contract/screens'
import { ScreenLink } from '../../admin/fields/ref'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { WinBand } from './winBand'
import styles from './lottery.module.css'

const { path } = screenOf('jygl/zjtj')

/** One machine, prize or day against its odds; each figure leads to its plays. */
export function WinDrawer({ id }: DrawerRow) {
  const t = useText('lottery')
  const { query } = useAddress(path, listWins.input.shape)
  const by = query.by ?? 'machine'
  const days = Object.fromEntries(['from', 'to'].flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
  const result = useEndpoint(listWins, { by: by as 'machine', row: id, ...days }, { errors: 'throw' })
  return (
    <RowDrawer result={result} title={({ items }) => [items[0]?.code, items[0]?.name].filter(Boolean).join(' · ')}>
      {({ items: [row] }) =>
        row && (
          <>
            <Section title={t('section.figures')}>
              <WinBand figures={row} />
            </Section>
            <Section title={t('section.money')}>
              <WinMoney row={row} />
            </Section>
            <Section title={t('link.plays')}>
              <Links search={{ ...days, ...ofRow(by, row) }} />
            </Section>
          </>
        )
      }
    </RowDrawer>
  )
}

function ofRow(by: string, { id, code }: WinRow): Record<string, string> {
  if (by === 'day') return { from: code, to: code }
  return by === 'product' ? { productId: String(id) } : { machineCode: code }
}

function WinMoney({ row }: { row: WinRow }) {
  const t = useText('lottery')
  return (
    <Facts
      facts={[
        { label: t('field.stakeFen'), value: <Money fen={row.stakeFen} /> },
        { label: t('field.costFen'), value: <Money fen={row.costFen} /> },
        { label: t('field.prizeFen'), value: <Money fen={row.prizeFen} /> },
        { label: t('field.marginFen'), value: <Money fen={row.marginFen} /> },
      ]}
    />
  )
}

function Links({ search }: { search: Record<string, string> }) {
  const t = useText('lottery')
  return (
    <ul className={styles.lines}>
      <li>
        <ScreenLink screen="jygl/hgxq" search={search}>
          {t('link.plays')}
        </ScreenLink>
      </li>
      <li>
        <ScreenLink screen="jygl/hgxq" search={{ ...search, state: 'won' }}>
          {t('link.wins')}
        </ScreenLink>
      </li>
    </ul>
  )
}
