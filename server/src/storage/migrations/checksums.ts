/**
 * Checksums that databases hold of each migration. A migration never changes: to change tables, write a new one and add its
 * checksums here, which the test of this file prints.
 */
export const checksums: Readonly<Record<string, { sqlite: string; postgres: string }>> = {
  '0001-foundation': {
    sqlite: 'e387612cf12d6d2a1f297f9600fe5e0ba303236d145407eaedbecd02c7a2d0aa',
    postgres: '1cb67dd0ad97bbafa259ef045f93bf96d9f829890ec304f3e1f02d75b9b0b3ec',
  },
  '0002-resources': {
    sqlite: '347c7fbf14ad82514cf5f0545cc56e6376c83dd9d875681f0893462f8fcea677',
    postgres: 'a47d72ef9193dda5c4de1b9fbceed011caa44a96ee5bc409709fac707bbbd9be',
  },
  '0003-message-life': {
    sqlite: 'fb5b90c5da62d23cab3360af2765b988fcdadeb4770173866346c8128323c90b',
    postgres: '1c15a0a636876252889fcb9bd2a92c5b6709134867d5a1a569f53c20f47ad185',
  },
  '0004-mcp-servers': {
    sqlite: 'eec8ca4e35c4369af17baf00bb7303a33676a60dfc2866651f330abb13a95099',
    postgres: 'eec8ca4e35c4369af17baf00bb7303a33676a60dfc2866651f330abb13a95099',
  },
  '0005-monitoring': {
    sqlite: '4e45e09b75340aaf4b95511a5de9616322506bfc1495bd41a37e787e8299b85b',
    postgres: '271e6339bc0d6e3bb542b39943d4556b07867f225778d7dc773e6ac1f1042655',
  },
  '0006-webhook-deliveries': {
    sqlite: '5febae3938021fe05fad846e1b084307d4d6a9edad9d6fca05670002980f3b4b',
    postgres: '06f14c33d65cec15c433f037b775861b62576dcf1e3c3c3dcd5e681ed267d72e',
  },
  '0007-model-api': {
    sqlite: '2c7b421673739b8bbf150bfce208f2e416379afad2cf681172a791531126f779',
    postgres: '2c7b421673739b8bbf150bfce208f2e416379afad2cf681172a791531126f779',
  },
  '0008-knowledge': {
    sqlite: '2a0646e64bce0b888c025ce54a62e4b4d07aa776643b38d142753e33c51d0666',
    postgres: '2a0646e64bce0b888c025ce54a62e4b4d07aa776643b38d142753e33c51d0666',
  },
  '0009-retrievals': {
    sqlite: '0a5e5a2fc2e5403052373c64cd57259f55d08e95f46ed4e43ca603628886b10b',
    postgres: '0a5e5a2fc2e5403052373c64cd57259f55d08e95f46ed4e43ca603628886b10b',
  },
  '0010-delivery-faults': {
    sqlite: '52bd0765ad5bfb688cdabaf8a03db7251a38c250f7e60782694f8ccff389e0ef',
    postgres: '52bd0765ad5bfb688cdabaf8a03db7251a38c250f7e60782694f8ccff389e0ef',
  },
  '0011-owners': {
    sqlite: '2b9f019fab67f62db958d7042d90b85509dc913f4e39e17ff4dcf481ed1a7603',
    postgres: '2b9f019fab67f62db958d7042d90b85509dc913f4e39e17ff4dcf481ed1a7603',
  },
  '0012-corrections': {
    sqlite: '99d8c940f0684f7181d014d2e901106301bb49607003639c3f612acb514e7dae',
    postgres: 'd8aed3f5f99921fbe3f986cf09ddd49f20cae36408973fe7f76fffa776732ed6',
  },
  '0013-document-progress': {
    sqlite: '98f2f0a40d550dfddddc592576315b87c24c39f7462069c9b445291e4fcb41bd',
    postgres: '98f2f0a40d550dfddddc592576315b87c24c39f7462069c9b445291e4fcb41bd',
  },
  '0014-networks-and-makers': {
    sqlite: 'f8333eb87828dcefae6096289e2c8978fd27bcd0b1aefa36e1a4a477618f08ac',
    postgres: 'f8333eb87828dcefae6096289e2c8978fd27bcd0b1aefa36e1a4a477618f08ac',
  },
  '0015-admin-addresses': {
    sqlite: '4841e43287f458b86d72466be276ed12ca1c931773105ca561c3f5824283a77b',
    postgres: '4841e43287f458b86d72466be276ed12ca1c931773105ca561c3f5824283a77b',
  },
  '0016-bound-servers': {
    sqlite: '18f3110623bd0ebdf41ab922a38ef87b852a2f3afd33abcdec2ccd0b07650af9',
    postgres: '4b566b6bd89d4f5fb6e0f2de434c44864aa320066cd353d38f2d85352c287bfe',
  },
  '0017-roles': {
    sqlite: '6560297eac3fb922db960d77044347b615a3cab9ae498cd49bf3dbd79210df0c',
    postgres: '6560297eac3fb922db960d77044347b615a3cab9ae498cd49bf3dbd79210df0c',
  },
  '0018-second-factors': {
    sqlite: 'c62359e5728c7c6f476dcb086ff6024a13768112456546faec17bcd54ac6c9fd',
    postgres: 'c62359e5728c7c6f476dcb086ff6024a13768112456546faec17bcd54ac6c9fd',
  },
  '0019-identities': {
    sqlite: 'd4018e6c79043fb6aa7dc418384440885f7aff5b2f6215aa90d89f869bf34286',
    postgres: 'd4018e6c79043fb6aa7dc418384440885f7aff5b2f6215aa90d89f869bf34286',
  },
  '0020-tool-users': {
    sqlite: '8d355ee5bb21e2f72466fca2e2c70ccea90d339b580ce6112ba876159203ae05',
    postgres: 'a8567b4c51d4e3ef36e4f99b13398126434a4573e15bdeeaa3f2b8790a3fb669',
  },
  '0021-reply-contexts': {
    sqlite: 'e0081028c74e9f65d7d0b7f706f5faf05ebfbce0aea4d2da9044efe2ed3f2b5e',
    postgres: 'e0081028c74e9f65d7d0b7f706f5faf05ebfbce0aea4d2da9044efe2ed3f2b5e',
  },
  '0022-adapter-values': {
    sqlite: '8210d0b03b2835e1f14f76f50c7b7601d6b8ed36a38bd21771bb4dafcb5ade07',
    postgres: '8210d0b03b2835e1f14f76f50c7b7601d6b8ed36a38bd21771bb4dafcb5ade07',
  },
  '0023-media-references': {
    sqlite: '4272196a0594e1124ff7d043b5e349e29d3d46f72d6b20e7878e6b9e93515556',
    postgres: '4272196a0594e1124ff7d043b5e349e29d3d46f72d6b20e7878e6b9e93515556',
  },
  '0024-accepted-deliveries': {
    sqlite: '2f52da6038a8e7d249ccf1858f8bee56d5d754dda011fc13299e00ae86b8562f',
    postgres: '2f52da6038a8e7d249ccf1858f8bee56d5d754dda011fc13299e00ae86b8562f',
  },
  '0025-used-requests': {
    sqlite: '7127e243a6ea2fe5a0e0bc0640d96b8e5249d84aa3e352117f47ad13b5ebdc5b',
    postgres: '7127e243a6ea2fe5a0e0bc0640d96b8e5249d84aa3e352117f47ad13b5ebdc5b',
  },
  '0026-bot-greetings': {
    sqlite: '0fdb3c8e61a03b4f208c650c0ab5f13ac9b89f4cdafc90f6085e8da1dda2105f',
    postgres: '0fdb3c8e61a03b4f208c650c0ab5f13ac9b89f4cdafc90f6085e8da1dda2105f',
  },
  '0027-record-version': {
    sqlite: '242c6fe067129e1a692efc610ac2baa4c2ef6dc551b84cd40557634f9e28fbe3',
    postgres: '8e527b2b1d1447ee0030ff76df98a7f04a372e93b15d9f9d744cc7d985ea1d46',
  },
  '0028-message-queue': {
    sqlite: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    postgres: '3b8494a9e7b3dffd44d6695d98de5f897b10e3e8240b6f0ac2aa3709162655ba',
  },
  '0029-access-version': {
    sqlite: 'b607357e6940d64aef726da536f88c352d31c2cd4373b0d03c4635466f8b4980',
    postgres: '36140e6da021122b29077153093b3d7096ee00fd528183a5142833772bdeffe0',
  },
  '0030-pipeline-versions': {
    sqlite: 'c9b0b3aecc3fd1bee45347c085036b2a4b460c9e8761a9c36215a69d9040d2f4',
    postgres: 'c9b0b3aecc3fd1bee45347c085036b2a4b460c9e8761a9c36215a69d9040d2f4',
  },
  '0031-model-requests': {
    sqlite: '1d22a5361cc2e83935e4638536d521770e50c6e022c08cc34de565d15c73dd33',
    postgres: '1d22a5361cc2e83935e4638536d521770e50c6e022c08cc34de565d15c73dd33',
  },
  '0032-chat-conversations': {
    sqlite: 'e2accd264aa4bccf7af4250dcdd4190784147677f39e5004e201629a1be321c6',
    postgres: 'e2accd264aa4bccf7af4250dcdd4190784147677f39e5004e201629a1be321c6',
  },
  '0033-alerts': {
    sqlite: '237fff45056d9dc7112fdbb37b717fc3599deb60fe31973faf5bf12a160ab2a6',
    postgres: 'dbc59bd3d80fde7d747184aaee1f3ef7f3919b0184028b185841a04ac5a90d39',
  },
  '0036-recovery-key-dates': {
    sqlite: '23c41cb6b7744e355cb9316445078365e60c651ad161d8527389665d9c9b446b',
    postgres: '23c41cb6b7744e355cb9316445078365e60c651ad161d8527389665d9c9b446b',
  },
  '0037-bot-event-codes': {
    sqlite: '54ebda6465ec504fbec246eb8a155489d55a3f9d3e452eebb3a0c7ff3169391e',
    postgres: '54ebda6465ec504fbec246eb8a155489d55a3f9d3e452eebb3a0c7ff3169391e',
  },
  '0038-stopped-answers': {
    sqlite: '31a88577d4a7714bb1ffcc2d705e542a175066fee51966103eab692700734dac',
    postgres: '31a88577d4a7714bb1ffcc2d705e542a175066fee51966103eab692700734dac',
  },
  '0039-plugins': {
    sqlite: 'a14ef45d12283b9cb937e5943eed1af6e28681d28a57d3c7ce7df022d62397d4',
    postgres: 'a14ef45d12283b9cb937e5943eed1af6e28681d28a57d3c7ce7df022d62397d4',
  },
  '0040-plugin-effects': {
    sqlite: '4b48056326fcf8e2ec56cb2bc66f41e6f25d5f867f4edbcd3e14e2c1ba84aa60',
    postgres: '4b48056326fcf8e2ec56cb2bc66f41e6f25d5f867f4edbcd3e14e2c1ba84aa60',
  },
  '0041-plugin-schedules': {
    sqlite: '23a157e22ffc8e5803bd21b44556eee7e416f06938f3769b9659f2c1eb40b33a',
    postgres: '23a157e22ffc8e5803bd21b44556eee7e416f06938f3769b9659f2c1eb40b33a',
  },
  '0042-claims': {
    sqlite: '093dfa22a19d193dcf367169643823cc7b8d4bd6bbd091b8917bd5ec01566fdc',
    postgres: '093dfa22a19d193dcf367169643823cc7b8d4bd6bbd091b8917bd5ec01566fdc',
  },
  '0043-replicas': {
    sqlite: 'd8ef7634d6caa12b9c8e218b384aaedcddd3963f0f07812ba470a9bfe3779f42',
    postgres: 'd8ef7634d6caa12b9c8e218b384aaedcddd3963f0f07812ba470a9bfe3779f42',
  },
  '0044-webhook-pauses': {
    sqlite: 'cccbf339e6a3eb0724f076bca5b38c0e8a384e9f5f751246cb10630d17ba17f3',
    postgres: 'cccbf339e6a3eb0724f076bca5b38c0e8a384e9f5f751246cb10630d17ba17f3',
  },
  '0045-lease-requests': {
    sqlite: '932a4386d4b0e092ee4b38146214b549d2315cd5471b4b001b85d7d899959e65',
    postgres: '932a4386d4b0e092ee4b38146214b549d2315cd5471b4b001b85d7d899959e65',
  },
  '0046-bots-of-replicas': {
    sqlite: '62dd8d2b0c6b3a2d4e897ed4a4673303cfb48f47fadc9dba643125509432f3d0',
    postgres: '62dd8d2b0c6b3a2d4e897ed4a4673303cfb48f47fadc9dba643125509432f3d0',
  },
  '0047-cancellations': {
    sqlite: '7fa5165dae313e42219309c5033962e49797a0c7faba708abdaf4af2d08bf448',
    postgres: '7fa5165dae313e42219309c5033962e49797a0c7faba708abdaf4af2d08bf448',
  },
  '0048-extension-version': {
    sqlite: '480ac96a8f940feaf44f41099f8eb62bd1cbf1de6af934d99102ef20bb4b477f',
    postgres: '9edd9c4800fc9e0e2b116b31a575b2b410b5c391af21f277fde34aecaa2bd1a9',
  },
  '0049-collection-claims': {
    sqlite: '2006243c1af51bc74528662a6a1366162b116f42215f8e3055f976d624cd8ca6',
    postgres: '2006243c1af51bc74528662a6a1366162b116f42215f8e3055f976d624cd8ca6',
  },
  '0050-plugin-packages': {
    sqlite: 'a02fe12ffa6ec0cc32451013f9d723c8305ef06b3b860523b8dd50aa23142fb4',
    postgres: 'a02fe12ffa6ec0cc32451013f9d723c8305ef06b3b860523b8dd50aa23142fb4',
  },
  '0051-requests-of-replicas': {
    sqlite: 'e4dd0ed978d149b81059d620bd47da82b894e8b244cc95ebe436dab932f2b0c9',
    postgres: 'e4dd0ed978d149b81059d620bd47da82b894e8b244cc95ebe436dab932f2b0c9',
  },
  '0052-replica-settings': {
    sqlite: 'df9c5d925005f6d5836878890ebe4f5cc614150ad1eeb28c28a6db251be942f3',
    postgres: 'df9c5d925005f6d5836878890ebe4f5cc614150ad1eeb28c28a6db251be942f3',
  },
};

/** Versions of migrations that were applied before those were settled; `0012-corrections` brings their tables up to date. */
export const formerChecksums: Readonly<Record<string, readonly string[]>> = {
  '0005-monitoring': [
    '8d0c83a29089482eff7fedf96a9cbb8780edb8be3f02e986fa05817a10f485c0',
    '97ec0e3dd55db75bee788252aeb1658413f343925a73e5ec51c9f642d0742b4e',
  ],
  '0008-knowledge': ['8957fd89114da547b3d873c9c21412e3c0f915de20a25b648767025a0ba41da1'],
};
