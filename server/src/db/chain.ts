import type { Applied } from './migrate'

/** The migrations that came before the baseline, with their hashes as databases noted them. Never changed again. */
export const CHAIN: readonly string[] = [
  '0001_people 3e5af44729aebea342392b6e59774acf5f914024e0c1d95c7a8d090db0169917',
  '0002_machines 11d0f3c33513b2068053e99c591ce2a10bef14866a0a81c006ec5d3e545b5306',
  '0003_trade c94dbde7dd8736ecb3314e50c44fcaad8a7af6eab19be2176d3cac0de2c45339',
  '0004_device e2e5a4007af6534e0457fda2d084be024475007275f30838fb482068ed7f7ac6',
  '0005_sign_in 2e9b8b973ffc15a57b37435d27cbff338971e477653a4c21034fbbcbca5bc832',
  '0006_wallboard ad6c1888dd994afa08b2d3916a118b730d31e1f0abbf21a58523f65f9217db31',
  '0007_board_key 20b51763b4f5f377045196e2e3927338e8f5734d1cb51300874222d50c2a9c58',
  '0008_ground df2a3b50d14fecbff8c92a889483eecc693d7142b8f18fc4906a4177c467acae',
  '0010_merchants cff5c09292d09b8c07d96d166b228f309879e4ca33b52b06447d26459d212b0c',
  '0011_licences d81af6d5ca57b31798bc3627b1bac72a498878dfdd6d60bded4f17922703a467',
  '0012_people cbfacaee174a0fd5c1bc99a267dbea37e0902b87ac158276857992517c34d1a0',
  '0013_sight f9f48fce1eb7df9e425f31c17931000831045cfdde2025915f92c48401646158',
  '0014_rights 66d1dfbade50cf41e5ef4283bde2d28fc3533e017ef337df35a2c137cd08c9cf',
  '0015_account fae662f10e7a6603c038a823f4b6f291a13200937f7d04f3bb49965be02eedc0',
  '0016_audit e33e5e830244aaf76f00ec6b1d905697078ac3065b2f403b6cde2c19b9dd1627',
  '0017_system 9d1a3a953fec90281902193a4a46bbf9faf2a2dd5f6481ee7c66c06da84d731e',
  '0018_notice 5fe556c1d0f0d6648e181af38dc63293ce6c1761502434a49cc9f5f467e3cd71',
  '0019_report 09f27365ca8028e4eb2b72a4f5e1d3406cefa53c57a2bdbd9b1cfdfbb7671548',
  '0020_stock_out 75cb76601c0fab5f30b265ac0159f291e48a547231235bfd031da583eccdbc80',
  '0021_operations f9e2d138c260b7188085e3ac21faeebe07bb99a28edf3e19db073dc3f2606e30',
  '0022_places 74f1fc2f898e830d3f5dddc8c3cc21e95dbe4888dab96791488cfcacd34b47c7',
  '0023_machines 622a8880471af78bc53110b63ac75bdb82ac92e62f8c94e7342ae8ed1dfebdaf',
  '0024_planogram 5d6cbb484425556b5da0e118af5d0b77c846677a85ff1cd02131a86611555d48',
  '0025_commands 5f0cd825e984dacf4941a49689d8fdf9e468c1a1863c89fa4bd9ac6c8309cc28',
  '0026_alarms 6ac88edf4a78afbc695f7035285c31e91ba8a1776536f46f4e16a01f99b4a709',
  '0027_maintenance d93499f71ca43631727efeecaaac4963b95b6727281df080da021877cd95876b',
  '0028_device_facts 4fc7bce2e70c1ec2736462ac56bd43dabc1bac596097a41d60d4a9fe966089fc',
  '0029_dex f4043dd9eaca0a6e992d35c2b790543ae8b1473e5eb50be1927c81fe9b304490',
  '0030_clones 54dbc784505438a84aaf0a7c1e5d765f2db522910e85fe79e20b77d049399480',
  '0031_tenders 1dfa27f0a2e3f5d9894c6fddbce19ec097e156f02c0e6a76db1319ae44ebeda3',
  '0032_payment d7f773e7d2dc3eaca45d3690d5606df927c6ba9f4fd358399ff9bf8efd0cea41',
  '0033_refunds 2c93bb8842840d4c39796b6df455b4d0518328285f44c871bfc46ca00c820329',
  '0034_codes_and_cards a318e2ba6bc7ac1ee44867f0092885300b9e737f38a44866010f9268477b4e0a',
  '0035_pharmacy bdc891970941b2c6d94d8aaff5ebc5d48c76c5551b178657374140bd46b2a1ab',
  '0036_lottery 8c1260af6f3525c706a0500574ef9d4702b4b700f74afc9135855a864be7aede',
  '0037_books 6a468b854b7b0f1de202981157ecfe55c1332ff1bfe59b31e01a67416040f837',
  '0038_rollups b2aeea2bc74c65c152e619ef32637cec3c5b45d28f56bbad045529693ee8dc37',
  '0039_partner b802c23bf633a392d9f62b1f1879e3c8dd1e6694e85729928404e01d48561c56',
  '0040_told 3e9d4d22b805caf90c1b66bbd305a72a556873d7401abde6d07ee6cd5fa9ac7c',
  '0041_payment_lists 687c673db20b480c3f3ed973545617cd2b3726e2077e8b352bb2ffa8b7537743',
  '0042_chatter 233f663515a1b04c4019466f2e8e34ef69f96450178cd3fcebbe526840e0d2d0',
  '0043_display_keys 663ba464846593803375459f2b95b8b72bbeaf00f865be8a3444637d4ae2cef5',
  '0044_pickup_lists 4254014ac65a4e2acb1a9e5864e2ebfbc252581e0cc27a398a3fd4405434a69f',
  '0045_cards_at_machines db6998873b0c42af867b370da2c9df876295c7df5187f6fc1314e722162e3a75',
  '0046_unclaimed 6814e6f1f24262cd0e3da8b80e577f03118b45df7e4b1902b02646fecd2d9c4d',
  '0047_fees_and_keys f731fb1dfb8339d8a96525d9761733b81dd0dcfe49ce5f999fa3baec2ba53c40',
  '0048_running_totals 933f55b49778f7c74665609a2a1531bb174baef2e4003bfbc36cc08f87d350d5',
  '0049_stock_out_left d69007da2df216179bb3376802ca6ea31aa89bc147607b2863fd106c6884351d',
  '0050_customer_messages e2fa0ea93d013f226c59cb09ef3dc385afcd9d1d032d5f98e9732d0e40ed52c8',
  '0051_retired_wants_nothing 70059f4be267c0fbed295c9bca27c97427d34f19a11e1a5409d9546090fc7986',
  '0052_bank_fee c74bc452ae7440b4afa2fd52613f187d7f0e5594abeb471ec1301d2532749602',
  '0053_settings_told ebfc2d2d72b5ec6055e2d300302125a17d8df67c11ab61100d9f022fdd4f2de6',
  '0054_measured 80eb24fc5847cb08bc8f3087a225f7c373d095179354927aad0f4d06078ea258',
  '0055_levels_by_key e4aea7a0a750819ac4be81bbf28e624af2f47a1c6588f53d3dbbd91438e00f00',
  '0056_card_payments 87aaaeb5ff4ffa2045d63a2ad745507ffbcb74dbe1b25804b7c5e0ad0be69d2e',
  '0057_failing_payments beca6ec2f3e0ca369e538f83bfaf37425002a2e95d06631c5e40763fe90bc022',
  '0058_codes_counted e19a7ea66b3770bbdbdd2cecba0b51e98e8bb2d3f06cf0325a95440597197246',
  '0059_refunds_ended 7745d8aed1af41cde7ad7a65c6d80bb81f42cea360c194a9d0a39fda27b7bd51',
  '0060_numbers_kept fe4df871d2072c6b2f7fc76dfa7e8848903de4d235ef97c7b9197f87cb2094ac',
  '0061_cabinet_type 4280620d9224a816f047c023234b9ff7ec577fc93827172bcf0a0412d2a99432',
  '0062_exports_go_on 3645758a7982cc0e0ba72020683e505e96e33ce9172ca3a4255c40111b209645',
  '0063_ways_to_orders 83dd88affb0a826c1307d07ad43f0aabb8a29b0ee462418c2ea8f60c13cd4f8a',
  '0064_second_piece 2e220fdf650d1f16d41373bbadced78be2e2ca6090b854f3a6d5595fabae37c6',
  '0065_mode_of_the_day 374ebf9aa743b0568a81452bfb0d82952c8d38c30a7c9ce95d0437884468bc0a',
  '0066_codes_counted_once 8d2c167c68b526a39c0dd3b9835358afff9e4d5b095b40a4cb98584008ef93cf',
]

const LAST = '0066_codes_counted_once'

/** Only a database with the whole chain and nothing else is what the baseline makes; any other is told what to do. */
export function refuseOther(applied: readonly Applied[]): void {
  const odd = applied.find(({ name, hash }, index) => `${name.replace('.sql', '')} ${hash}` !== CHAIN[index])
  if (odd) {
    throw new Error(
      `The database has ${odd.name}, which is not of a release: this version takes over only what the version with ` +
        `migration ${LAST} left. Restore a backup of that version, or begin with an empty database.`,
    )
  }
  if (applied.length < CHAIN.length) {
    throw new Error(
      `The database is older than this version can take over: it stopped at ${applied.at(-1)?.name}. ` +
        `Start the version with migration ${LAST} on it once, then this one.`,
    )
  }
}
