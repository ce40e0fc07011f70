import { screens } from '@aisle/contract/screens'

const groups = [...new Set(screens.map(({ group }) => group))]

for (const group of groups) {
  const inGroup = screens.filter((screen) => screen.group === group)
  const planned = inGroup.filter(({ built }) => !built).map(({ code }) => code)
  const count = `${inGroup.length - planned.length} of ${inGroup.length}`
  console.log(
    `${group.padEnd(12)} ${count.padEnd(10)} ${planned.length > 0 ? `planned: ${planned.join(' ')}` : ''}`.trimEnd(),
  )
}
console.log(`${screens.filter(({ built }) => built).length} of ${screens.length} real`)
