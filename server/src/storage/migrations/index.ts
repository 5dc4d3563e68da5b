import { foundation } from './0001-foundation.ts';
import { resourcesMigration } from './0002-resources.ts';
import { messageLife } from './0003-message-life.ts';
import { mcpServersMigration } from './0004-mcp-servers.ts';
import { monitoringMigration } from './0005-monitoring.ts';
import { webhookDeliveries } from './0006-webhook-deliveries.ts';
import { modelApi } from './0007-model-api.ts';
import { knowledge } from './0008-knowledge.ts';
import { retrievals } from './0009-retrievals.ts';
import { deliveryFaults } from './0010-delivery-faults.ts';
import { owners } from './0011-owners.ts';
import { corrections } from './0012-corrections.ts';
import { documentProgress } from './0013-document-progress.ts';
import { networksAndMakers } from './0014-networks-and-makers.ts';
import { adminAddresses } from './0015-admin-addresses.ts';
import { boundServers } from './0016-bound-servers.ts';
import { roles } from './0017-roles.ts';
import { secondFactors } from './0018-second-factors.ts';
import { identities } from './0019-identities.ts';
import { toolUsers } from './0020-tool-users.ts';
import { replyContexts } from './0021-reply-contexts.ts';
import { adapterValues } from './0022-adapter-values.ts';
import { mediaReferences } from './0023-media-references.ts';
import { acceptedDeliveries } from './0024-accepted-deliveries.ts';
import { usedRequests } from './0025-used-requests.ts';
import { botGreetings } from './0026-bot-greetings.ts';
import { recordVersion } from './0027-record-version.ts';
import { messageQueue } from './0028-message-queue.ts';
import { accessVersion } from './0029-access-version.ts';
import { pipelineVersions } from './0030-pipeline-versions.ts';
import { modelRequests } from './0031-model-requests.ts';
import { chatConversations } from './0032-chat-conversations.ts';
import { alertsMigration } from './0033-alerts.ts';
import { recoveryKeyDates } from './0036-recovery-key-dates.ts';
import { botEventCodes } from './0037-bot-event-codes.ts';
import { stoppedAnswers } from './0038-stopped-answers.ts';
import { pluginsMigration } from './0039-plugins.ts';
import { pluginEffects } from './0040-plugin-effects.ts';
import { pluginSchedules } from './0041-plugin-schedules.ts';
import { claimNumbers } from './0042-claims.ts';
import { replicas } from './0043-replicas.ts';
import { webhookPauses } from './0044-webhook-pauses.ts';
import { leaseRequests } from './0045-lease-requests.ts';
import { botsOfReplicas } from './0046-bots-of-replicas.ts';
import { cancellations } from './0047-cancellations.ts';
import { extensionVersion } from './0048-extension-version.ts';
import { collectionClaims } from './0049-collection-claims.ts';
import { pluginPackages } from './0050-plugin-packages.ts';
import { requestsOfReplicas } from './0051-requests-of-replicas.ts';
import { replicaSettings } from './0052-replica-settings.ts';
import type { Migration } from './migration.ts';

/** In the order they apply. */
export const migrations: readonly Migration[] = [
  foundation,
  resourcesMigration,
  messageLife,
  mcpServersMigration,
  monitoringMigration,
  webhookDeliveries,
  modelApi,
  knowledge,
  retrievals,
  deliveryFaults,
  owners,
  corrections,
  documentProgress,
  networksAndMakers,
  adminAddresses,
  boundServers,
  roles,
  secondFactors,
  identities,
  toolUsers,
  replyContexts,
  adapterValues,
  mediaReferences,
  acceptedDeliveries,
  usedRequests,
  botGreetings,
  recordVersion,
  messageQueue,
  accessVersion,
  pipelineVersions,
  modelRequests,
  chatConversations,
  alertsMigration,
  recoveryKeyDates,
  botEventCodes,
  stoppedAnswers,
  pluginsMigration,
  pluginEffects,
  pluginSchedules,
  claimNumbers,
  replicas,
  webhookPauses,
  leaseRequests,
  botsOfReplicas,
  cancellations,
  extensionVersion,
  collectionClaims,
  pluginPackages,
  requestsOfReplicas,
  replicaSettings,
];

/** Name of the last migration. */
export const newestMigration = migrations.at(-1)?.name ?? '';
