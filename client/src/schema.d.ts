/** Made by `npm run openapi` from docs/openapi.json; not to be edited. */

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process lives
         * @description Needs no credential.
         */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be served
         * @description Needs no credential.
         */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Version and settings of the server
         * @description Needs no credential, and says more to a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getSystemInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/wizard/completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remember that the wizard was completed or skipped
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postSystemWizardCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/wizard/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Remember where a person is in the wizard
         * @description Any object of at most 65536 bytes; it replaces the one before.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putSystemWizardProgress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process, the sizes of what is stored, and the settings in effect
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getSystemStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/status/plugin-system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether plugins can be used
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getSystemStatusPluginSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/debug/exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Always refused: the server runs nothing that it is sent
         * @description Needs a user token, of the role `admin`.
         */
        post: operations["postSystemDebugExec"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/debug/plugin/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Always refused: the server runs nothing that it is sent
         * @description Needs a user token, of the role `admin`.
         */
        post: operations["postSystemDebugPluginAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the first account exists
         * @description Needs no credential, and says more to a user token, of the role `member`.
         */
        get: operations["getUserInit"];
        put?: never;
        /**
         * Make the first account
         * @description Needs no credential.
         */
        post: operations["postUserInit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in, with a `code` where the account asks for one
         * @description Needs no credential.
         */
        post: operations["postUserAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/check-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exchange a good token for a fresh one
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserCheckToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of this call
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserSignOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in account
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/account-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How people sign in here
         * @description Needs no credential.
         */
        get: operations["getUserAccountInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password; every session of the account ends
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/set-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same as change-password, for clients of the reference system
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserSetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/space-credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is left of a paid account elsewhere: there are none here
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserSpaceCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the recovery key, which is then replaced
         * @description Needs no credential.
         */
        post: operations["postUserResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getAccounts"];
        put?: never;
        /**
         * Create an account, a member unless it is said otherwise; the answer holds its recovery key, once
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postAccounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/accounts/{account_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of an account, at once; never of the last admin
         * @description Open connections of the account and of its API keys are closed.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putAccountsByAccountUuid"];
        post?: never;
        /**
         * Remove an account with its sessions and its API keys, at once; never the last admin
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        delete: operations["deleteAccountsByAccountUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether signing in takes a code beside the password
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserSecondFactor"];
        put?: never;
        /**
         * Make a secret for an authenticator app; it is asked for once it is enabled
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/second-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a code at each sign-in from now on; the answer holds recovery codes, once
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserSecondFactorEnable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for the password alone again
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserSecondFactorDisable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which identity provider people can sign in with
         * @description Needs no credential.
         */
        get: operations["getUserOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/oidc/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with the identity provider
         * @description Needs no credential.
         */
        post: operations["postUserOidcBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/oidc/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the answer of the identity provider, in the browser that began
         * @description Needs no credential.
         */
        post: operations["postUserOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/oidc/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the account is linked with an identity of the provider
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserOidcLink"];
        put?: never;
        /**
         * Link the account with the identity in the answer of the provider
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserOidcLink"];
        /**
         * Remove the link; only accounts with a password
         * @description Needs a user token, of the role `member`.
         */
        delete: operations["deleteUserOidcLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/oidc/link/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link the account with an identity of the provider
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postUserOidcLinkBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the caller is signed in: the 500 sessions used last, latest first
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getUserSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of the caller but the one of this call
         * @description Needs a user token, of the role `member`.
         */
        delete: operations["deleteUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user/sessions/{session_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the caller, at once
         * @description Needs a user token, of the role `member`.
         */
        delete: operations["deleteUserSessionsBySessionUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, masked
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getApikeys"];
        put?: never;
        /**
         * Create an API key; the answer holds it in full, once
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postApikeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apikeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API key, masked
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getApikeysById"];
        /**
         * Rename an API key
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putApikeysById"];
        post?: never;
        /**
         * Revoke an API key, at once
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        delete: operations["deleteApikeysById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, newest first
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pipelines
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPipelines"];
        put?: never;
        /**
         * Create a pipeline from the default configuration
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postPipelines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/_/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The form for the configuration of a pipeline
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPipelinesMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pipeline
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPipelinesByPipelineUuid"];
        /**
         * Change a pipeline; a configuration replaces the stored one whole, and masked secrets stay
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putPipelinesByPipelineUuid"];
        post?: never;
        /**
         * Delete a pipeline that is neither the default nor bound to a bot
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deletePipelinesByPipelineUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which plugins and MCP servers a pipeline uses, and which there are
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPipelinesByPipelineUuidExtensions"];
        /**
         * Replace which plugins and MCP servers a pipeline uses
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putPipelinesByPipelineUuidExtensions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another pipeline like this one, secrets included
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postPipelinesByPipelineUuidCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make it the pipeline that new bots are bound to
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putPipelinesByPipelineUuidDefault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model providers
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderProviders"];
        put?: never;
        /**
         * Create a model provider
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/providers/{provider_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model provider; its keys are masked
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderProvidersByProviderUuid"];
        /**
         * Change a model provider
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putProviderProvidersByProviderUuid"];
        post?: never;
        /**
         * Delete a model provider that no model uses
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deleteProviderProvidersByProviderUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/providers/{provider_uuid}/available-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a model provider which models it offers
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        get: operations["getProviderProvidersByProviderUuidAvailableModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/requesters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of model providers
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderRequesters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/requesters/{requester_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a kind of model provider
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderRequestersByRequesterName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/requesters/{requester_name}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The icon of a kind of model provider
         * @description Needs no credential.
         */
        get: operations["getProviderRequestersByRequesterNameIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/llm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List LLM models
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsLlm"];
        put?: never;
        /**
         * Create an LLM model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsLlm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/llm/{model_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an LLM model with its provider
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsLlmByModelUuid"];
        /**
         * Change an LLM model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putProviderModelsLlmByModelUuid"];
        post?: never;
        /**
         * Delete an LLM model that no pipeline uses
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deleteProviderModelsLlmByModelUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/llm/{model_uuid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an LLM model once, stored or not, and tell how long it took
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsLlmByModelUuidTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/embedding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List embedding models
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsEmbedding"];
        put?: never;
        /**
         * Create an embedding model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/embedding/{model_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an embedding model with its provider
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsEmbeddingByModelUuid"];
        /**
         * Change an embedding model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putProviderModelsEmbeddingByModelUuid"];
        post?: never;
        /**
         * Delete an embedding model that no pipeline uses
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deleteProviderModelsEmbeddingByModelUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/embedding/{model_uuid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an embedding model once, stored or not, and tell how long it took
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsEmbeddingByModelUuidTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/rerank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rerank models
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsRerank"];
        put?: never;
        /**
         * Create a rerank model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsRerank"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/rerank/{model_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a rerank model with its provider
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelsRerankByModelUuid"];
        /**
         * Change a rerank model
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putProviderModelsRerankByModelUuid"];
        post?: never;
        /**
         * Delete a rerank model that no pipeline uses
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deleteProviderModelsRerankByModelUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/models/rerank/{model_uuid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a rerank model once, stored or not, and tell how long it took
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postProviderModelsRerankByModelUuidTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what models cost
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getProviderModelPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider/model-prices/{model_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set what a model costs
         * @description Calls from then on are recorded with what they cost. In whatever currency the operator counts.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putProviderModelPricesByModelName"];
        post?: never;
        /**
         * Forget what a model costs
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deleteProviderModelPricesByModelName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platforms that bots can be made for
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPlatformAdapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/adapters/{adapter_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a platform
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPlatformAdaptersByAdapterName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/adapters/{adapter_name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a platform whether it takes a configuration, before it is stored
         * @description Nothing is stored or sent, and a bot that is connected is not disturbed.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postPlatformAdaptersByAdapterNameTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/adapters/{adapter_name}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The icon of a platform
         * @description Needs no credential.
         */
        get: operations["getPlatformAdaptersByAdapterNameIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bots; their secrets are masked
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPlatformBots"];
        put?: never;
        /**
         * Create a bot; without a pipeline it is bound to the default one
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        post: operations["postPlatformBots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/bots/{bot_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bot and how its connection is; its secrets are masked
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPlatformBotsByBotUuid"];
        /**
         * Change a bot; what is left out stays
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putPlatformBotsByBotUuid"];
        post?: never;
        /**
         * Delete a bot and its event log; messages and conversations stay
         * @description Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        delete: operations["deletePlatformBotsByBotUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/bots/{bot_uuid}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the event log of a bot, of which the latest 1000 entries are kept
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        post: operations["postPlatformBotsByBotUuidLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/platform/bots/{bot_uuid}/send_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message through a bot
         * @description The body may have 10 MiB. Content that comes as base64 is stored as a file, which the stored message names.
         *
         *     Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        post: operations["postPlatformBotsByBotUuidSendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages that came in and went out, newest first
         * @description A message is listed that meets every filter. Finding rare ones among many may take several pages.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A message, with its answer or what it answers
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMessagesByMessageUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_uuid}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a message, step by step, and why
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMessagesByMessageUuidExplain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_uuid}/images/{element}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An image of a message, fetched by the server when it is elsewhere
         * @description Images that messages name by an address are fetched from public addresses only, at most 10 MB, and kept for a day.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMessagesByMessageUuidImagesByElement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_uuid}/deliveries/{part}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a failed or uncertain part of a message again, then what follows it
         * @description The message is an inbound one, whose answer is meant, or an outbound one. An uncertain part may appear twice.
         *
         *     Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        post: operations["postMessagesByMessageUuidDeliveriesByPartRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_uuid}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether an answer was good
         * @description Takes the place of what the same account or key said of the message before.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postMessagesByMessageUuidFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postFilesDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image, to be sent in a chat
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postFilesImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/image/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An image that was uploaded or came with a message; who knows its key may see it
         * @description Needs no credential.
         */
        get: operations["getFilesImageByKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/ws/messages/{session_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was said in the current conversation of the caller
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPipelinesByPipelineUuidWsMessagesBySessionType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a new conversation
         * @description Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        post: operations["postPipelinesByPipelineUuidWsResetBySessionType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/ws/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open connections
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getPipelinesByPipelineUuidWsConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pipelines/{pipeline_uuid}/ws/broadcast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a notice to everybody connected to the pipeline
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postPipelinesByPipelineUuidWsBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pipelines, as models
         * @description Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        get: operations["getV1Models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One pipeline, as a model
         * @description Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        get: operations["getV1ModelsByModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a pipeline, with the conversation so far
         * @description Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        post: operations["postV1ChatCompletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a pipeline, going on from an earlier response
         * @description Needs a user token, or an API key with the scope `send`, of the role `member`.
         */
        post: operations["postV1Responses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of bots, tasks and messages as they happen, as server-sent events
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List outgoing webhooks
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getWebhooks"];
        put?: never;
        /**
         * Create an outgoing webhook
         * @description The answer holds the secret that payloads are signed with, whole, this one time.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an outgoing webhook
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getWebhooksById"];
        /**
         * Change an outgoing webhook
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putWebhooksById"];
        post?: never;
        /**
         * Delete an outgoing webhook
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        delete: operations["deleteWebhooksById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an outgoing webhook; the answer holds the new one, once
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postWebhooksByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed ping now
         * @description Also to a webhook that is switched off. What came of it is the answer, and kept nowhere.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postWebhooksByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was and is to be sent to an outgoing webhook, newest first
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getWebhooksByIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery, with each time that it was sent
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getWebhooksByIdDeliveriesByDeliveryUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_uuid}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send something again, under the same id
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postWebhooksByIdDeliveriesByDeliveryUuidRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks that run, and the latest that ended
         * @description Tasks that ended are kept for seven days, the newest thousand of them.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getSystemTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getSystemTasksById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell a task to end; it ends when its work has heeded that
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postSystemTasksByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/safety/sensitive-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the list of sensitive words
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getSafetySensitiveWords"];
        /**
         * Change the list of sensitive words
         * @description Fields that are left out stay. A word that cannot be looked for is refused with its index. It takes effect on the next message.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `admin`.
         */
        put: operations["putSafetySensitiveWords"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/basic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many sessions, conversations and messages there are
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getStatsBasic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last lines that this server logged; where an answer ends is where the next one begins
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/survey/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * There are no surveys; for clients of the reference system
         * @description Needs a user token, of the role `member`.
         */
        get: operations["getSurveyPending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/survey/respond": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * There are no surveys; for clients of the reference system
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postSurveyRespond"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/survey/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * There are no surveys; for clients of the reference system
         * @description Needs a user token, of the role `member`.
         */
        post: operations["postSurveyDismiss"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List knowledge bases
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBases"];
        put?: never;
        /**
         * Create a knowledge base
         * @description Settings are those of the schemas of the engine; see `GET /api/v1/knowledge/engines`.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a knowledge base
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuid"];
        /**
         * Change a knowledge base; what is left out stays, settings are replaced as a whole
         * @description Other `creation_settings` store all documents anew beside those that are found, which stay found until the new ones are complete.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        put: operations["putKnowledgeBasesByKnowledgeBaseUuid"];
        post?: never;
        /**
         * Delete a knowledge base with its documents
         * @description One that pipelines name is not deleted; `details` of the refusal names them.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        delete: operations["deleteKnowledgeBasesByKnowledgeBaseUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a knowledge base, oldest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidFiles"];
        put?: never;
        /**
         * Attach an uploaded document to a knowledge base
         * @description It is read and stored in the background; the task shows how that goes, and so does the file itself. Of a ZIP archive every file in it that can be read is attached.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document: how far it is, and how much of each page was read
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuid"];
        put?: never;
        post?: never;
        /**
         * Remove a document from a knowledge base; it is not found from then on
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        delete: operations["deleteKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document as it was uploaded
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is found of a document, in order
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a document again that failed or was cancelled
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read and store a document anew; until that is done it is found as it is
         * @description The golden questions are asked afterwards, once for all documents that are read anew by then.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidReindex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End what is under way with a document
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collections of a knowledge base
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidCollections"];
        put?: never;
        /**
         * Store all documents anew, in a collection beside the one that is searched
         * @description It is searched as soon as it is complete, unless it finds less than the present one by the golden questions: then it waits for `activate` or for being deleted.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidCollections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/collections/{collection_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search a collection that waits for this decision
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidCollectionsByCollectionIdActivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/collections/{collection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give up a collection that is not searched; what is being built ends
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        delete: operations["deleteKnowledgeBasesByKnowledgeBaseUuidCollectionsByCollectionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find passages of a knowledge base, best first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidRetrieve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the golden questions of a knowledge base, oldest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidQuestions"];
        put?: never;
        /**
         * Add one golden question or several
         * @description Either `question` and `expected`, or `questions`, which is a list of the same.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidQuestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/questions/{question_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a golden question
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid"];
        /**
         * Change a golden question; what is left out stays, `expected` is replaced as a whole
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        put: operations["putKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid"];
        post?: never;
        /**
         * Delete a golden question
         * @description Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        delete: operations["deleteKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evaluations of a knowledge base, newest first; the last 50 are kept
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidEvaluations"];
        put?: never;
        /**
         * Ask all golden questions of a knowledge base
         * @description Begins a task; its result holds the figures, and the evaluation how each question went.
         *
         *     Needs a user token, or an API key with the scope `write`, of the role `member`.
         */
        post: operations["postKnowledgeBasesByKnowledgeBaseUuidEvaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/bases/{knowledge_base_uuid}/evaluations/{evaluation_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an evaluation with how each question went
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeBasesByKnowledgeBaseUuidEvaluationsByEvaluationUuid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/engines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List knowledge engines
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeEngines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/engines/{plugin_id}/creation-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of a knowledge engine to create a knowledge base with
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeEnginesByPluginIdCreationSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/engines/{plugin_author}/{plugin_name}/creation-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of a knowledge engine to create a knowledge base with
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeEnginesByPluginAuthorByPluginNameCreationSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/engines/{plugin_id}/retrieval-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of a knowledge engine to find passages with
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeEnginesByPluginIdRetrievalSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/engines/{plugin_author}/{plugin_name}/retrieval-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings of a knowledge engine to find passages with
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeEnginesByPluginAuthorByPluginNameRetrievalSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/parsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parsers of documents
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeParsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/knowledge/migration/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether knowledge bases of an older form wait; there are none
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getKnowledgeMigrationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plugins; none can be installed yet
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins/debug-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where plugins under development connect to; nowhere yet
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        get: operations["getPluginsDebugInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins/{author}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plugin; there is none yet
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPluginsByAuthorByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins/{author}/{name}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the configuration of a plugin; there is none yet
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPluginsByAuthorByNameConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins/{author}/{name}/readme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a plugin says about itself; there is none yet
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getPluginsByAuthorByNameReadme"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List MCP servers
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMcpServers"];
        put?: never;
        /**
         * Create an MCP server
         * @description An enabled one is connected in the background; `runtime_info` tells how that goes.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postMcpServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an MCP server
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMcpServersByName"];
        /**
         * Change an MCP server; what is left out stays, `extra_args` are replaced as a whole
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putMcpServersByName"];
        post?: never;
        /**
         * Delete an MCP server, also from the pipelines that name it
         * @description Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        delete: operations["deleteMcpServersByName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{name}/read-only-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say which tools of an MCP server change nothing
         * @description Such tools run for everyone who may write to a pipeline that the server is bound to; for others the pipeline says for whom they run. A tool that changes afterwards has to be confirmed again.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        put: operations["putMcpServersByNameReadOnlyTools"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test whether an MCP server can be connected
         * @description Begins a task that connects, lists the tools and disconnects; its result is `{status, tool_count, tools}`. The name `_` tests the configuration in the body, which is not stored; for a stored server the body is ignored.
         *
         *     Needs a user token, or an API key with the scope `admin`, of the role `admin`.
         */
        post: operations["postMcpServersByNameTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages in and out, newest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/llm-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of language models, newest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringLlmCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of tools, newest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringToolCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/embedding-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of embedding models, newest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringEmbeddingCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People and groups that bots talked with, by their last activity
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What went wrong, newest first
         * @description Messages, calls of models and tools, and deliveries that failed.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What people said about answers, newest first
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringFeedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures and the newest records of every kind
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/messages/{message_id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A message with its model calls
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringMessagesByMessageIdDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/sessions/{session_id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a session was made of
         * @description Sessions of several bots may have the same id; without `botId`, the one that was active last.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringSessionsBySessionIdAnalysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/feedback/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How content people are
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringFeedbackStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What went on in a window, to compare with another
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A figure over time
         * @description Without `startTime`, the last 24 hours or 30 days. At most 1000 points.
         *
         *     Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was spent on models
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Records as a file
         * @description Needs a user token, or an API key with the scope `read`, of the role `member`.
         */
        get: operations["getMonitoringExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Account */
        Account: {
            /** Format: uuid */
            uuid: string;
            user: string;
            /**
             * @description `admin` may do everything. `member` reads what the scope `read` reaches, chats, sends, retries deliveries and manages knowledge and its own account.
             * @enum {unknown}
             */
            role: "admin" | "member";
            /** Format: date-time */
            created_at: string;
            /** @description Null when it did not sign in for 30 days. */
            last_signed_in_at: string | null;
            /** @description API keys that it made or was handed, the expired ones too. */
            api_key_count: number;
        };
        /** AccountInfo */
        AccountInfo: {
            user: string;
            /**
             * @description `admin` may do everything. `member` reads what the scope `read` reaches, chats, sends, retries deliveries and manages knowledge and its own account.
             * @enum {unknown}
             */
            role: "admin" | "member";
            /** @enum {string} */
            account_type: "local";
            has_password: boolean;
        };
        /** Adapter */
        Adapter: {
            /** @description The value of a bot's `adapter`. */
            name: string;
            label: components["schemas"]["I18nText"];
            description: components["schemas"]["I18nText"];
            /** @description Name of the picture, which `…/{name}/icon` answers. */
            icon: string;
            spec: {
                /** @description `popular`, `china`, `global`, `protocol`. */
                categories: string[];
                /** @description By language: `en`, `zh`, `ja`. */
                help_links: {
                    [key: string]: string;
                };
                config: components["schemas"]["FormField"][];
                /** @description Whether a configuration can be tested before it is stored. */
                testable: boolean;
            };
        };
        /** AdapterRuntimeValues */
        AdapterRuntimeValues: {
            /** @description The bot's own id on the platform; null until it is known. */
            bot_account_id: string | null;
            /** @description Path that the platform sends events to; null for platforms that send none. */
            webhook_url: string | null;
            /** @description The full URL of `webhook_url`. */
            webhook_full_url: string | null;
            /** @description Empty; exists for compatibility. */
            extra_webhook_full_url: string | null;
            /** @enum {unknown} */
            state: "stopped" | "starting" | "running" | "reconnecting" | "error";
            /** @description The error of the connection. */
            error: string | null;
            /** @description The stable word for `error`. */
            error_reason: string | null;
            /**
             * Format: date-time
             * @description Time of the last change of state.
             */
            since: string;
        };
        /** ApiKey */
        ApiKey: {
            id: number;
            name: string;
            /** @description Masked; the full key is only in the response that created it. */
            key: string;
            description: string;
            scopes: ("read" | "write" | "send" | "admin")[];
            /** @description The account that made it or was handed it, and that it ends with; null for one of the installation. */
            account_uuid: string | null;
            account_name: string | null;
            /** @description The role of the account, which the key never exceeds; null for a key of the installation. */
            account_role: ("admin" | "member") | null;
            expires_at: string | null;
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** AuditEntry */
        AuditEntry: {
            id: number;
            /** Format: date-time */
            created_at: string;
            /** @enum {unknown} */
            actor_kind: "user" | "api-key" | "anonymous" | "command-line";
            /** @description The account or the API key; empty if there is none. */
            actor_id: string;
            /** @description Its name at that time; for a failed sign-in, the attempted name. */
            actor_name: string;
            /** @description The session or the API key; empty where there was none. */
            credential: string;
            /** @description Network address of the caller. */
            address: string;
            request_id: string;
            /** @description Kind of record and verb: `provider.update`. */
            action: string;
            record_kind: string;
            /** @description Empty if there is no single record. */
            record_id: string;
            /** @description Dotted paths of the fields that an update changed. */
            changed: string[];
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        /** AvailableModel */
        AvailableModel: {
            /** @description The `name` of a model record. */
            id: string;
            /** @description Absent when the provider does not report it. */
            kinds?: ("llm" | "text-embedding" | "rerank")[];
            /** @description Display name at the provider. */
            label?: string;
        };
        /** Bot */
        Bot: {
            /** Format: uuid */
            uuid: string;
            name: string;
            description: string;
            /** @description Name of the platform. */
            adapter: string;
            /** @description Secrets are masked. */
            adapter_config: {
                [key: string]: unknown;
            };
            enable: boolean;
            use_pipeline_name: string | null;
            use_pipeline_uuid: string | null;
            /** @description Evaluated in order; a message that matches none of them goes through `use_pipeline_uuid`. */
            pipeline_routing_rules: components["schemas"]["PipelineRoutingRule"][];
            /**
             * @description What happens after a send that may have arrived: `continue` with the next part, `stop` before it, or `repeat` the send, which may show it twice.
             * @enum {unknown}
             */
            uncertain_sends: "continue" | "stop" | "repeat";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            adapter_runtime_values: components["schemas"]["AdapterRuntimeValues"];
        };
        /** BotEvent */
        BotEvent: {
            /** @description Number of the entry, from 0; numbers are not used twice. */
            seq_id: number;
            /** @description Unix seconds. */
            timestamp: number;
            /** @enum {unknown} */
            level: "debug" | "info" | "warning" | "error";
            text: string;
            /** @description Keys of images, which `/api/v1/files/image/{key}` shows. */
            images: string[];
            /** @description `person_<id>` or `group_<id>` for what belongs to a conversation, else empty. */
            message_session_id: string;
        };
        /** ChatCompletion */
        ChatCompletion: {
            id: string;
            /** @enum {string} */
            object: "chat.completion";
            created: number;
            model: string;
            choices: {
                index: number;
                message: {
                    /** @enum {string} */
                    role: "assistant";
                    content: string;
                    refusal: null;
                    annotations: unknown[];
                };
                logprobs: null;
                /** @enum {unknown} */
                finish_reason: "stop" | "content_filter";
            }[];
            usage: {
                prompt_tokens: number;
                completion_tokens: number;
                total_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                    audio_tokens: number;
                };
                completion_tokens_details: {
                    reasoning_tokens: number;
                    audio_tokens: number;
                    accepted_prediction_tokens: number;
                    rejected_prediction_tokens: number;
                };
            };
        };
        /** ChatCompletionRequest */
        ChatCompletionRequest: {
            /** @description Name or uuid of a pipeline. */
            model: string;
            messages: components["schemas"]["ModelApiMessage"][];
            stream?: boolean | null;
            stream_options?: ({
                include_usage?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            user?: string | null;
            safety_identifier?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * ContentElement
         * @description Every key is there; those that are not used are null.
         */
        ContentElement: {
            /** @enum {unknown} */
            type: "text" | "image_url" | "image_base64" | "file_url" | "file_base64";
            text: string | null;
            image_url: {
                url: string;
            } | null;
            image_base64: string | null;
            file_url: string | null;
            file_base64: string | null;
            file_name: string | null;
        };
        /** CostShare */
        CostShare: {
            /** @description Of the bot or pipeline; for models, their name. */
            id: string;
            name: string;
            llm_calls: number;
            llm_failures: number;
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
            /** @description Of the calls whose price was known. */
            cost: number;
        };
        /** CreateResponseRequest */
        CreateResponseRequest: {
            /** @description Name or uuid of a pipeline. */
            model: string;
            /** @description What the user says, or a list of messages that ends with it. */
            input: unknown;
            instructions?: string | null;
            previous_response_id?: string | null;
            store?: boolean | null;
            metadata?: {
                [key: string]: string;
            } | null;
            stream?: boolean | null;
            stream_options?: {
                [key: string]: unknown;
            } | null;
            user?: string | null;
            safety_identifier?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** Delivery */
        Delivery: {
            piece: number;
            /** @enum {unknown} */
            state: "pending" | "sending" | "sent" | "failed" | "uncertain";
            platform_message_id: string | null;
            /** @description One of the stable words of docs/errors.md. */
            reason: string | null;
            /** @description What the platform said. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            message_chain: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        /** DeliveryProgress */
        DeliveryProgress: {
            piece: number;
            /** @enum {unknown} */
            state: "pending" | "sending" | "sent" | "failed" | "uncertain";
            platform_message_id: string | null;
            /** @description One of the stable words of docs/errors.md. */
            reason: string | null;
            /** @description What the platform said. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** DismissSurvey */
        DismissSurvey: {
            survey_id: string;
        };
        /** DocumentParser */
        DocumentParser: {
            plugin_id: string;
            plugin_author: string;
            plugin_name: string;
            name: components["schemas"]["I18nText"];
            description: components["schemas"]["I18nText"];
            supported_mime_types: string[];
            /** @description In lower case, without the dot. */
            extensions: string[];
        };
        /** EffectiveSetting */
        EffectiveSetting: {
            /** @description Its key in `parley.yaml`. */
            name: string;
            environment_variable: string;
            /**
             * @description Source of the value.
             * @enum {unknown}
             */
            source: "default" | "file" | "environment";
            /** @description Of a secret, only `is_set` is shown. */
            secret: boolean;
            is_set: boolean;
            /** @description Null for a secret, and for a setting without a value. */
            value: boolean | number | string | string[] | null;
        };
        /** EmbeddingModel */
        EmbeddingModel: {
            /** Format: uuid */
            uuid: string;
            /** @description The model's id at the provider. */
            name: string;
            /** Format: uuid */
            provider_uuid: string;
            /** @description Sent along with every request, as the provider names the fields. */
            extra_args: {
                [key: string]: unknown;
            };
            prefered_ranking: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            provider?: components["schemas"]["ModelProvider"];
        };
        /** ErrorResponse */
        ErrorResponse: {
            /** @description Non-zero: -1 for a refused request, -2 for an unexpected fault. */
            code: number;
            msg: string;
            /** @description A stable word that says why. */
            reason: string;
            details?: {
                path: string;
                message: string;
            }[];
            request_id: string;
        };
        /** Evaluation */
        Evaluation: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            knowledge_base_uuid: string;
            collection_id: string;
            /** @enum {unknown} */
            state: "running" | "finished" | "failed" | "cancelled";
            /**
             * @description Somebody asked for it, a new collection was complete, or a document was indexed anew.
             * @enum {unknown}
             */
            asked_by: "request" | "rebuild" | "reindex";
            /** @description The model that answered. */
            model_uuid: string | null;
            figures: components["schemas"]["EvaluationFigures"] | null;
            error: string | null;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            results: components["schemas"]["QuestionResult"][];
        };
        /**
         * EvaluationFigures
         * @description Means from 0 to 1; null where there was nothing to count.
         */
        EvaluationFigures: {
            /** @description Those that were counted: without those that have an error. */
            questions: number;
            /** @description For how many questions the first passage is an expected one. */
            hit_at_1: number | null;
            /** @description For how many one of the first five is. */
            hit_at_5: number | null;
            /** @description For how many one of the first ten is. */
            hit_at_10: number | null;
            /** @description How good the order of the first ten is. */
            ndcg_at_10: number | null;
            /** @description Mean of 1 divided by the rank of the first expected passage, 0 where none is among the first ten. */
            mrr: number | null;
            /** @description Of the citations in answers, how many name an expected passage; null without answers. */
            citation_precision: number | null;
        };
        /** EvaluationSummary */
        EvaluationSummary: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            knowledge_base_uuid: string;
            collection_id: string;
            /** @enum {unknown} */
            state: "running" | "finished" | "failed" | "cancelled";
            /**
             * @description Somebody asked for it, a new collection was complete, or a document was indexed anew.
             * @enum {unknown}
             */
            asked_by: "request" | "rebuild" | "reindex";
            /** @description The model that answered. */
            model_uuid: string | null;
            figures: components["schemas"]["EvaluationFigures"] | null;
            error: string | null;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        };
        /** ExpectedPassage */
        ExpectedPassage: {
            /** Format: uuid */
            document_uuid: string;
            /** @description Null when the document is gone, and the passage is not expected any more. */
            file_name: string | null;
            /** @description Text that a passage must contain to count; null for any passage of the document. */
            quote: string | null;
            /** @description How relevant it is. */
            grade: number;
        };
        /** ExtensionsPreferences */
        ExtensionsPreferences: {
            /** @default true */
            enable_all_plugins: boolean;
            /**
             * @description Also those that are added later. Only an admin may switch it on, or add servers.
             * @default false
             */
            enable_all_mcp_servers: boolean;
            /** @default [] */
            plugins: {
                author: string;
                name: string;
            }[];
            /**
             * @description uuids.
             * @default []
             */
            mcp_servers: string[];
            /**
             * @description By uuid of an MCP server: for whom its tools run that are not confirmed to be read-only. `nobody` for servers that are not named. Only an admin may change it; if omitted, the stored value is retained.
             * @default {}
             */
            mcp_tool_users: {
                [key: string]: components["schemas"]["ToolUsers"];
            };
        };
        /** Feedback */
        Feedback: {
            feedback_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description 1 for a like, 2 for a dislike. */
            feedback_type: 1 | 2;
            feedback_content: string | null;
            inaccurate_reasons: string[] | null;
            message_uuid: string | null;
            bot_uuid: string;
            pipeline_uuid: string;
            session_id: string | null;
            user_id: string | null;
            platform: string | null;
        };
        /** FormField */
        FormField: {
            name: string;
            label: components["schemas"]["I18nText"];
            description?: components["schemas"]["I18nText"];
            /** @description `string`, `integer`, `boolean`, `select`, `array[string]`, … */
            type: string;
            required: boolean;
            default?: unknown;
            options?: {
                name: string;
                label: components["schemas"]["I18nText"];
            }[];
            show_if?: {
                field: string;
                operator: string;
                value: unknown;
            };
            /** @description True when a read shows only a mask. */
            secret?: boolean;
        };
        /** FormStage */
        FormStage: {
            name: string;
            label: components["schemas"]["I18nText"];
            description?: components["schemas"]["I18nText"];
            config: components["schemas"]["FormField"][];
        };
        /** FormTab */
        FormTab: {
            name: string;
            label: components["schemas"]["I18nText"];
            stages: components["schemas"]["FormStage"][];
        };
        /** GoldenQuestion */
        GoldenQuestion: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            knowledge_base_uuid: string;
            question: string;
            expected: components["schemas"]["ExpectedPassage"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** I18nText */
        I18nText: {
            en_US: string;
            zh_Hans?: string;
            zh_Hant?: string;
            ja_JP?: string;
            th_TH?: string;
            vi_VN?: string;
            es_ES?: string;
        };
        /** KnowledgeBase */
        KnowledgeBase: {
            /** Format: uuid */
            uuid: string;
            name: string;
            description: string;
            emoji: string | null;
            knowledge_engine_plugin_id: string | null;
            /** @description The collection that is searched. */
            collection_id: string;
            creation_settings: {
                [key: string]: unknown;
            } | null;
            retrieval_settings: {
                [key: string]: unknown;
            } | null;
            knowledge_engine: {
                plugin_id: string | null;
                name: components["schemas"]["I18nText"];
                capabilities: string[];
            };
            document_count: number;
            /** @description In the collection that is searched. */
            chunk_count: number;
            /** @description The one that is searched, and those beside it: one that is built, waits for a decision, or failed. */
            collections: components["schemas"]["KnowledgeCollectionSummary"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** KnowledgeBaseFile */
        KnowledgeBaseFile: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            kb_id: string;
            /**
             * Format: uuid
             * @description Of the upload.
             */
            file_id: string;
            file_name: string;
            /** @description In lower case, without its dot. */
            extension: string;
            media_type: string;
            /** @description Bytes. */
            size: number;
            /** @description In hex. */
            sha256: string;
            /** @description The parser that was asked for; null for the one that fits. */
            parser_plugin_id: string | null;
            metadata: {
                [key: string]: string | number | boolean;
            };
            /** @enum {unknown} */
            status: "pending" | "processing" | "completed" | "failed";
            /** @enum {unknown} */
            stage: "queued" | "parsing" | "chunking" | "embedding" | "ready" | "failed" | "cancelled";
            /** @description Pages while it is parsed, chunks later; both 0 when it is not known. */
            progress: {
                done: number;
                total: number;
            };
            /** @description Why it failed: one of the stable words of docs/errors.md. */
            reason: string | null;
            /** @description The same for people. */
            error: string | null;
            /** @description What was left out, repaired or guessed. */
            warnings: string[];
            /** @description What the document calls itself. */
            title: string | null;
            /** @description Null where the format has no pages. */
            page_kind: ("page" | "slide" | "sheet" | "chapter") | null;
            page_count: number;
            /** @description In the collection that is searched. */
            chunk_count: number;
            /** @description How often it was begun, after a restart too. */
            attempts: number;
            /** @description The task that shows how it goes. */
            task_id: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description When it became ready, failed or was cancelled. */
            finished_at: string | null;
        };
        /** KnowledgeBaseFileDetail */
        KnowledgeBaseFileDetail: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            kb_id: string;
            /**
             * Format: uuid
             * @description Of the upload.
             */
            file_id: string;
            file_name: string;
            /** @description In lower case, without its dot. */
            extension: string;
            media_type: string;
            /** @description Bytes. */
            size: number;
            /** @description In hex. */
            sha256: string;
            /** @description The parser that was asked for; null for the one that fits. */
            parser_plugin_id: string | null;
            metadata: {
                [key: string]: string | number | boolean;
            };
            /** @enum {unknown} */
            status: "pending" | "processing" | "completed" | "failed";
            /** @enum {unknown} */
            stage: "queued" | "parsing" | "chunking" | "embedding" | "ready" | "failed" | "cancelled";
            /** @description Pages while it is parsed, chunks later; both 0 when it is not known. */
            progress: {
                done: number;
                total: number;
            };
            /** @description Why it failed: one of the stable words of docs/errors.md. */
            reason: string | null;
            /** @description The same for people. */
            error: string | null;
            /** @description What was left out, repaired or guessed. */
            warnings: string[];
            /** @description What the document calls itself. */
            title: string | null;
            /** @description Null where the format has no pages. */
            page_kind: ("page" | "slide" | "sheet" | "chapter") | null;
            page_count: number;
            /** @description In the collection that is searched. */
            chunk_count: number;
            /** @description How often it was begun, after a restart too. */
            attempts: number;
            /** @description The task that shows how it goes. */
            task_id: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description When it became ready, failed or was cancelled. */
            finished_at: string | null;
            /** @description How much of each page was read. */
            pages: {
                number: number;
                /** @description Of a sheet or chapter; the title of a slide. */
                name?: string;
                /** @description Characters of text that were found. */
                characters: number;
                /** @description Present where something of it could not be read. */
                note?: string;
            }[];
        };
        /** KnowledgeChunk */
        KnowledgeChunk: {
            id: string;
            /** @description In the document, from 0. */
            position: number;
            text: string;
            heading_path: string[];
            page: number | null;
            page_end: number | null;
            /** @description Where it stands in the document's text. */
            start: number;
            end: number;
        };
        /** KnowledgeCollection */
        KnowledgeCollection: {
            collection_id: string;
            /** Format: uuid */
            knowledge_base_uuid: string;
            /**
             * @description `active`: it is searched. `building`: documents are stored in it. `waiting`: it is complete and finds less than the active one, by the golden questions, so somebody has to decide. `failed`: it could not be completed. `dropping`: it is being removed.
             * @enum {unknown}
             */
            state: "active" | "building" | "waiting" | "failed" | "dropping";
            creation_settings: {
                [key: string]: unknown;
            };
            /** @description Why it could not be completed. */
            error: string | null;
            /** @description The run of the golden questions on it that decided. */
            evaluation_uuid: string | null;
            document_count: number;
            chunk_count: number;
            /** @description Documents that are still to be stored in it. */
            missing_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** KnowledgeCollectionSummary */
        KnowledgeCollectionSummary: {
            collection_id: string;
            /**
             * @description `active`: it is searched. `building`: documents are stored in it. `waiting`: it is complete and finds less than the active one, by the golden questions, so somebody has to decide. `failed`: it could not be completed. `dropping`: it is being removed.
             * @enum {unknown}
             */
            state: "active" | "building" | "waiting" | "failed" | "dropping";
            document_count: number;
            chunk_count: number;
            missing_count: number;
            error: string | null;
            evaluation_uuid: string | null;
        };
        /** KnowledgeEngine */
        KnowledgeEngine: {
            plugin_id: string;
            name: components["schemas"]["I18nText"];
            description: components["schemas"]["I18nText"];
            /** @description `doc_ingestion`: documents can be attached. `doc_parsing`: it reads files itself, so that no parser is needed. */
            capabilities: string[];
            creation_schema: {
                schema: components["schemas"]["FormField"][];
            };
            retrieval_schema: {
                schema: components["schemas"]["FormField"][];
            };
        };
        /** LanguageModel */
        LanguageModel: {
            /** Format: uuid */
            uuid: string;
            /** @description The model's id at the provider. */
            name: string;
            /** Format: uuid */
            provider_uuid: string;
            /** @description Sent along with every request, as the provider names the fields. */
            extra_args: {
                [key: string]: unknown;
            };
            prefered_ranking: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            provider?: components["schemas"]["ModelProvider"];
            abilities: string[];
        };
        /** LegScore */
        LegScore: {
            rank: number;
            score: number;
        };
        /** ListedModel */
        ListedModel: {
            /** @description Name of the pipeline where no other has the same, else its uuid. */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description Seconds since 1970. */
            created: number;
            owned_by: string;
        };
        /** LogPage */
        LogPage: {
            /** @description One line for each entry, each ended by a newline: `[MM-DD HH:MM:SS.mmm] file (line) - [LEVEL] : message`, in UTC. */
            logs: string;
            end_page_number: number;
            end_offset: number;
        };
        /** McpRuntimeInfo */
        McpRuntimeInfo: {
            /** @enum {unknown} */
            status: "connecting" | "connected" | "error";
            error_message: string | null;
            /** @description The stable word for `error_message`. After `mcp_command_not_allowed` it is not tried again. */
            error_reason: string | null;
            /** @description What keeps the process of a connected server of the mode `stdio` from the data of the service: `landlock`, the kernel hides the data folder from it; `none`, it can read it. Null for others. */
            protection: ("landlock" | "none") | null;
            tool_count: number;
            /** @description The last known tools while the server is not connected. */
            tools: components["schemas"]["McpTool"][];
        };
        /** McpServer */
        McpServer: {
            /** Format: uuid */
            uuid: string;
            name: string;
            enable: boolean;
            /**
             * @description `stdio` starts a command; `sse` and `http` (streamable HTTP) call an address.
             * @enum {unknown}
             */
            mode: "stdio" | "sse" | "http";
            /** @description By mode: `command`, `args`, `env` for `stdio`; `url`, `headers`, `timeout`, `ssereadtimeout` for `sse`; `url`, `headers`, `timeout` for `http`. A masked value of `env` or `headers` retains the stored one while the mode and the command with its arguments, or the origin of the address, stay the same. */
            extra_args: {
                [key: string]: unknown;
            };
            /** @description Null while the server is disabled. */
            runtime_info: components["schemas"]["McpRuntimeInfo"] | null;
            /** @description Tools that an admin confirmed as read-only, by name, with the fingerprint of each at that time. */
            confirmed_tools: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** McpTool */
        McpTool: {
            /** @description As the server calls it. */
            name: string;
            description: string;
            /** @description JSON Schema of the arguments. */
            parameters: {
                [key: string]: unknown;
            };
            /** @description Whether the server declares the tool read-only. */
            read_only_hint: boolean;
            /** @description Another one when anything else of the above changes. */
            fingerprint: string;
            /**
             * @description `confirmed`: an admin confirmed that the tool is read-only; `changed`: one did, and the tool has changed since, so it counts as `unconfirmed`.
             * @enum {unknown}
             */
            read_only: "unconfirmed" | "confirmed" | "changed";
        };
        /** Message */
        Message: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            bot_uuid: string;
            /** Format: uuid */
            conversation_uuid: string;
            /** @description Empty when the bot had none. */
            pipeline_uuid: string;
            /** @enum {unknown} */
            session_type: "person" | "group";
            /** @description The person, or the group. */
            session_id: string;
            /** @description Empty where there are no threads. */
            thread_id: string;
            /** @enum {unknown} */
            direction: "inbound" | "outbound";
            platform_message_id: string | null;
            /** @description The message that this one answers; null for one that was sent unasked. */
            reply_to: string | null;
            /** @description Place in the conversation. */
            sequence: number;
            sender_id: string;
            sender_name: string;
            facts: {
                group_name?: string;
                /** @enum {unknown} */
                sender_permission?: "MEMBER" | "ADMINISTRATOR" | "OWNER";
                /** @enum {unknown} */
                bot_permission?: "MEMBER" | "ADMINISTRATOR" | "OWNER";
                special_title?: string;
                sender_remark?: string;
                /** @description The sender was signed in to an admin account. */
                signed_in_admin?: boolean;
                /** @description What was said before, or instructions, came with it. */
                has_context?: boolean;
            };
            message_chain: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            text: string;
            /** @enum {unknown} */
            state: "received" | "processing" | "answered" | "stopped" | "failed" | "uncertain" | "writing" | "finished";
            /** @description `answered`, or why it ended or waits: a word of docs/errors.md. */
            reason: string | null;
            /** @description The message that it was answered together with. */
            merged_into: string | null;
            /** @description How often it was begun to be answered. */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            /** @description Outbound only, of all its pieces together. */
            delivery_state: ("pending" | "sending" | "sent" | "failed" | "uncertain") | null;
        };
        /** MessageCitation */
        MessageCitation: {
            /** @description As it stands in the answer: `[1]`. */
            number: number;
            knowledge_base_uuid: string;
            chunk_id: string;
            /** @description Where the quote stands, or the passage where there is none. */
            source: components["schemas"]["PassageSource"] | null;
            /** @description The words of the passage; null where the answer quoted none. */
            quote: string | null;
        };
        /** MessageElement */
        MessageElement: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** MessageExplanation */
        MessageExplanation: {
            message: components["schemas"]["Message"];
            /** @description One to three sentences. */
            summary: string;
            /** @description State of an inbound message; of an outbound one `writing`, or how its delivery goes. */
            outcome: string;
            reason: string | null;
            /** @description Null when it does not wait. */
            waiting: {
                /** @description Not before this moment; null for as soon as its turn comes. */
                until: string | null;
                /** @description One of the stable words of docs/errors.md. */
                reason: string | null;
            } | null;
            attempts: number;
            /** @description Until its end, or until now. */
            total_milliseconds: number;
            /** @description In order; empty while it is on its way. */
            steps: components["schemas"]["MessageStep"][];
            model_calls: components["schemas"]["ModelCall"][];
            tool_calls: components["schemas"]["ToolCall"][];
            /** @description What knowledge bases were asked for the answer, in order. */
            retrievals: components["schemas"]["MessageRetrieval"][];
            /** @description What the answer cites, and how many citations were taken out because no passage holds them. Null where nothing could be cited. */
            citations: {
                cited: components["schemas"]["MessageCitation"][];
                dropped: number;
            } | null;
            deliveries: components["schemas"]["DeliveryProgress"][];
            /** @description Messages that were answered together with it. */
            merged: string[];
            merged_into: string | null;
        };
        /** MessageRetrieval */
        MessageRetrieval: {
            /** Format: uuid */
            uuid: string;
            /** @description A long one is cut. */
            question: string;
            /**
             * @description `runner`: before the answer, with the person's words. `model`: by a tool.
             * @enum {unknown}
             */
            asked_by: "runner" | "model";
            knowledge_bases: string[];
            /** Format: date-time */
            started_at: string;
            milliseconds: number;
            /** @description Best first. */
            passages: components["schemas"]["RetrievedPassageRecord"][];
            /** @description Knowledge bases that did not answer. */
            failures: {
                knowledge_base_uuid: string;
                reason: string;
                error: string;
            }[];
        };
        /** MessageStep */
        MessageStep: {
            /** @description A stage of the pipeline, or a step such as `runner`. */
            name: string;
            /** @enum {unknown} */
            outcome: "passed" | "changed" | "merged" | "stopped" | "waited" | "failed";
            /** @description One of the stable words of docs/errors.md. */
            reason: string | null;
            milliseconds: number;
            details: {
                [key: string]: unknown;
            };
        };
        /** ModelApiError */
        ModelApiError: {
            error: {
                message: string;
                /** @enum {unknown} */
                type: "invalid_request_error" | "permission_error" | "rate_limit_error" | "server_error";
                param: string | null;
                /** @description A stable word; see docs/model-api.md. */
                code: string;
            };
        };
        /** ModelApiMessage */
        ModelApiMessage: {
            /** @description `system`, `developer`, `user` or `assistant`. */
            role: string;
            /** @description A text, or a list of parts. */
            content?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** ModelCall */
        ModelCall: {
            /** Format: uuid */
            uuid: string;
            /** @description Null where a service elsewhere chose the model. */
            model_uuid: string | null;
            model_name: string;
            /** Format: date-time */
            started_at: string;
            milliseconds: number;
            first_piece_milliseconds: number | null;
            input_tokens: number;
            output_tokens: number;
            /** @description Null where no price is known. */
            cost: number | null;
            /** @description One of the stable words of docs/errors.md. */
            reason: string | null;
            error: string | null;
        };
        /** ModelPrice */
        ModelPrice: {
            /** @description The model's id at the provider, in lower case. */
            model_name: string;
            /** @description Price of 1,000,000 tokens that a model reads. */
            input_price: number;
            /** @description Price of 1,000,000 tokens that a model writes. */
            output_price: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** ModelProvider */
        ModelProvider: {
            /** Format: uuid */
            uuid: string;
            name: string;
            /** @description Name of the requester kind that calls the provider. */
            requester: string;
            base_url: string;
            /** @description Masked. */
            api_keys: string[];
            /** @description Number of LLM models that use this provider. */
            llm_count: number;
            /** @description Number of embedding models that use this provider. */
            embedding_count: number;
            /** @description Number of rerank models that use this provider. */
            rerank_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** ModelResponse */
        ModelResponse: {
            id: string;
            /** @enum {string} */
            object: "response";
            created_at: number;
            /** @enum {unknown} */
            status: "in_progress" | "completed" | "incomplete" | "failed";
            output: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** MonitoredEmbeddingCall */
        MonitoredEmbeddingCall: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            model_name: string;
            prompt_tokens: number;
            total_tokens: number;
            /** @description Milliseconds. */
            duration: number;
            input_count: number;
            status: string;
            error_message: string | null;
            knowledge_base_id: string | null;
            query_text: string | null;
            session_id: string | null;
            message_id: string | null;
            /** @description `embedding` or `retrieve`. */
            call_type: string;
        };
        /** MonitoredError */
        MonitoredError: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description One of the stable words of docs/errors.md. */
            error_type: string;
            error_message: string;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            session_id: string | null;
            /** @description Where it happened in the program is told to nobody. */
            stack_trace: null;
            message_id: string | null;
        };
        /** MonitoredFeedback */
        MonitoredFeedback: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            feedback_id: string;
            /** @description 1 for a like, 2 for a dislike. */
            feedback_type: number;
            feedback_content: string | null;
            inaccurate_reasons: string | null;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            session_id: string | null;
            message_id: string | null;
            stream_id: string | null;
            user_id: string | null;
            platform: string | null;
        };
        /** MonitoredLlmCall */
        MonitoredLlmCall: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            model_name: string;
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
            /** @description Milliseconds. */
            duration: number;
            cost: number | null;
            status: string;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            session_id: string | null;
            error_message: string | null;
            message_id: string | null;
        };
        /** MonitoredMessage */
        MonitoredMessage: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            /** @description The message chain as JSON text. */
            message_content: string;
            session_id: string;
            /** @description `pending`, `success` or `error`. */
            status: string;
            /** @description `debug`, `info`, `warning` or `error`. */
            level: string;
            platform: string | null;
            user_id: string | null;
            user_name: string | null;
            runner_name: string | null;
            variables: string | null;
            /** @description `user` or `assistant`. */
            role: string;
        };
        /** MonitoredSession */
        MonitoredSession: {
            session_id: string;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            message_count: number;
            /** Format: date-time */
            start_time: string;
            /** Format: date-time */
            last_activity: string;
            is_active: boolean;
            platform: string | null;
            user_id: string | null;
            user_name: string | null;
        };
        /** MonitoredToolCall */
        MonitoredToolCall: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            tool_name: string;
            /** @description JSON; a long text is cut. */
            parameters: string;
            /** @description Bytes. */
            result_size: number | null;
            duration: number | null;
            status: string;
            bot_id: string;
            bot_name: string;
            pipeline_id: string;
            pipeline_name: string;
            session_id: string | null;
            error_message: string | null;
            message_id: string | null;
        };
        /** MonitoringFigures */
        MonitoringFigures: {
            received: number;
            sent: number;
            /** @description Percent of the messages that ended as answered, failed or uncertain whose answers were delivered completely; null where none did. */
            success_rate: number | null;
            /** @description Messages, calls of models and tools, and deliveries that failed. */
            errors: number;
            /** @description How long answers took, milliseconds; null when nothing was answered. */
            latency: {
                median: number;
                p95: number;
            } | null;
            llm_calls: number;
            input_tokens: number;
            output_tokens: number;
            /** @description Of the calls whose price was known. */
            cost: number;
        };
        /** MonitoringOverview */
        MonitoringOverview: {
            total_messages: number;
            llm_calls: number;
            embedding_calls: number;
            model_calls: number;
            /** @description Percent of the messages that ended as answered, failed or uncertain whose answers were delivered completely; 100 where none did. */
            success_rate: number;
            /** @description Sessions with something said in the window; without a window, in the last 30 minutes. */
            active_sessions: number;
        };
        /** MonitoringSeries */
        MonitoringSeries: {
            /** @enum {unknown} */
            metric: "messages" | "failures" | "llm_calls" | "llm_failures" | "input_tokens" | "output_tokens" | "cost" | "tool_calls" | "tool_failures" | "embedding_calls" | "latency";
            /** @enum {unknown} */
            interval: "hour" | "day";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description One for each hour or day of the window, oldest first. */
            points: {
                /**
                 * Format: date-time
                 * @description When the hour or the day begins, UTC.
                 */
                timestamp: string;
                /** @description Of `latency`, the median, milliseconds; null when nothing was answered. */
                value: number | null;
                p95?: number | null;
            }[];
        };
        /** PassageSource */
        PassageSource: {
            document_id: string;
            file_id: string;
            file_name: string;
            /** @description From 1; null where the format has no pages. */
            page: number | null;
            page_end: number | null;
            /** @description The outermost first. */
            heading_path: string[];
            /** @description Characters of the document's text before it (UTF-16 code units). */
            start: number;
            end: number;
        };
        /** Pipeline */
        Pipeline: {
            /** Format: uuid */
            uuid: string;
            name: string;
            description: string;
            emoji: string | null;
            for_version: string;
            is_default: boolean;
            stages: string[];
            /** @description Tabs `ai`, `trigger`, `safety` and `output`; secrets are masked. */
            config: {
                [key: string]: unknown;
            };
            extensions_preferences: components["schemas"]["ExtensionsPreferences"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** PipelineExtensions */
        PipelineExtensions: {
            enable_all_plugins: boolean;
            enable_all_mcp_servers: boolean;
            /** @default [] */
            bound_plugins: {
                author: string;
                name: string;
            }[];
            available_plugins: Record<string, never>[];
            /**
             * @description uuids.
             * @default []
             */
            bound_mcp_servers: string[];
            available_mcp_servers: components["schemas"]["McpServer"][];
            /**
             * @description By uuid of an MCP server: for whom its tools run that are not confirmed to be read-only. `nobody` for servers that are not named. Only an admin may change it; if omitted, the stored value is retained.
             * @default {}
             */
            mcp_tool_users: {
                [key: string]: components["schemas"]["ToolUsers"];
            };
        };
        /**
         * PipelineRoutingRule
         * @description Matches when all of its conditions match; at least one condition is required.
         */
        PipelineRoutingRule: {
            /** @description The pipeline that messages go through. */
            pipeline_uuid: string;
            /** @description Ids of users; one of them wrote the message, in a direct chat or a group. */
            persons?: string[];
            /** @description Ids of groups; the message was written in one of them. */
            groups?: string[];
            /** @description One of them is in the first 20,000 characters of the text, in capitals or not. */
            keywords?: string[];
            /** @description Whether the message mentions the bot. */
            mentioned?: boolean;
            /** @description The message arrives from the first time on and before the second one, which is on the next day when it is not later: `22:00` to `06:00` is a night, `00:00` to `00:00` a day. */
            time?: {
                from: string;
                to: string;
                /** @description Start days of the time range, 1 for Monday. Every day when omitted. */
                days?: number[];
                /** @description Such as `Europe/Berlin`; else UTC. */
                time_zone?: string;
            };
        };
        /** Plugin */
        Plugin: {
            debug: boolean;
            enabled: boolean;
            priority: number;
            /** @description `unmounted`, `mounted` or `initialized`. */
            status: string;
            install_source: string;
            install_info: {
                [key: string]: unknown;
            };
            plugin_config: {
                [key: string]: unknown;
            };
            plugin_instance: null;
            manifest: {
                owner: string;
                /** @description `apiVersion`, `kind`, `metadata`, `spec` and `execution`. */
                manifest: {
                    [key: string]: unknown;
                };
                rel_path: string;
            };
            components: {
                manifest: {
                    owner: string;
                    /** @description `apiVersion`, `kind`, `metadata`, `spec` and `execution`. */
                    manifest: {
                        [key: string]: unknown;
                    };
                    rel_path: string;
                };
                component_instance: null;
                component_config: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** QuestionResult */
        QuestionResult: {
            /** Format: uuid */
            question_uuid: string;
            question: string;
            /** @description Of the first expected passage; null when none of the first ten is one. */
            rank: number | null;
            ndcg_at_10: number;
            milliseconds: number;
            /** @description The first ten passages. */
            found: {
                document_uuid: string | null;
                file_name: string | null;
                page: number | null;
                is_expected: boolean;
            }[];
            /** @description Null when no model was asked. */
            answer: {
                /** @description At most its first 2000 characters. */
                text: string;
                citations: number;
                right_citations: number;
                dropped_citations: number;
            } | null;
            /** @description Why it is not counted: it could not be asked, or its documents are gone. */
            error: string | null;
        };
        /** Requester */
        Requester: {
            /** @description The name in a provider's `requester`. */
            name: string;
            label: components["schemas"]["I18nText"];
            description: components["schemas"]["I18nText"];
            /** @description File name of the icon. */
            icon: string;
            spec: {
                /** @description Fields of the form for a provider. */
                config: components["schemas"]["FormField"][];
                support_type: ("llm" | "text-embedding" | "rerank")[];
                /** @enum {unknown} */
                provider_category: "manufacturer" | "maas" | "self-hosted" | "builtin";
                /** @description Whether the models of a provider can be listed. */
                lists_models: boolean;
                unavailable?: components["schemas"]["I18nText"];
            };
        };
        /** RerankModel */
        RerankModel: {
            /** Format: uuid */
            uuid: string;
            /** @description The model's id at the provider. */
            name: string;
            /** Format: uuid */
            provider_uuid: string;
            /** @description Sent along with every request, as the provider names the fields. */
            extra_args: {
                [key: string]: unknown;
            };
            prefered_ranking: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            provider?: components["schemas"]["ModelProvider"];
        };
        /** RespondToSurvey */
        RespondToSurvey: {
            survey_id: string;
            answers?: {
                [key: string]: unknown;
            };
            completed?: boolean;
        };
        /** RetriedDelivery */
        RetriedDelivery: {
            /** Format: uuid */
            message_uuid: string;
            part: number;
            /**
             * @description `pending`: the answer is queued. `sent`: a message that a program sent was sent again.
             * @enum {unknown}
             */
            state: "pending" | "sent";
        };
        /** RetrievalResult */
        RetrievalResult: {
            id: string;
            content: components["schemas"]["ContentElement"][];
            /** @description Also what the engine knows, and the `metadata` of the document. */
            metadata: {
                /** Format: uuid */
                knowledge_base_uuid: string;
                document_id: string | null;
                file_id: string | null;
                file_name: string | null;
                /** @description Null where the format has no pages. */
                page: number | null;
                page_end: number | null;
                heading_path: string[];
                /** @description Where it stands in the document's text. */
                start: number | null;
                end: number | null;
                /** @description How each way of searching placed it; one that did not find it is absent. */
                scores: {
                    keyword?: components["schemas"]["LegScore"];
                    vector?: components["schemas"]["LegScore"];
                    rerank?: components["schemas"]["LegScore"];
                };
            } & {
                [key: string]: unknown;
            };
            /** @description 0 is the same; lower is closer. */
            distance: number;
            /** @description Higher is better; comparable within one answer. */
            score: number | null;
        };
        /** RetrievedPassageRecord */
        RetrievedPassageRecord: {
            /** @description Of the chunk, in its collection. */
            id: string;
            knowledge_base_uuid: string;
            knowledge_base_name: string;
            /** @description A long one is cut. */
            text: string;
            /** @description Lower is closer. */
            distance: number;
            score: number | null;
            /** @description How each way of searching placed it; one that did not find it is absent. */
            legs: {
                keyword?: {
                    rank: number;
                    score: number;
                };
                vector?: {
                    rank: number;
                    score: number;
                };
                rerank?: {
                    rank: number;
                    score: number;
                };
            };
            /** @description Where it stands; null where its engine does not tell. */
            source: components["schemas"]["PassageSource"] | null;
            /** @description What the model was shown it by; null when it was left out. */
            number: number | null;
            /** @description The number that the answer has for it; null when it is not cited. */
            cited_as: number | null;
        };
        /** SecondFactorStatus */
        SecondFactorStatus: {
            enabled: boolean;
            enabled_at: string | null;
            recovery_codes_left: number;
        };
        /**
         * SensitiveWords
         * @description Words that are blocked in messages and masked in answers of pipelines with the content filter.
         */
        SensitiveWords: {
            /** @description Each is a plain word, or a regular expression when it has one of `\ . + * ? ( ) [ ] { } ^ $ |`. Capital letters count. At most 500 regular expressions. */
            words: string[];
            /** @description Replaces each character of a word in an answer. If that would form another word of the list, another character is used. */
            mask: string;
            /** @description Replaces the entire word unless it is empty. */
            mask_word: string;
        };
        /** Session */
        Session: {
            /** Format: uuid */
            uuid: string;
            address: string;
            user_agent: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Exact to a minute.
             */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether it is the session of this call. */
            current: boolean;
        };
        /** Statistics */
        Statistics: {
            /** @description Users and groups that a bot exchanged a message with during the last 30 minutes. */
            active_session_count: number;
            /** @description Active conversations: the next message of the same user or group continues them. */
            conversation_count: number;
            /** @description Messages that bots received since this server started. */
            query_count: number;
        };
        /** StorageSize */
        StorageSize: {
            /**
             * @description `ledger`: all records; in PostgreSQL the entire database, including `knowledge`. `knowledge`: indexed documents. `files`: uploads and attachments of messages.
             * @enum {unknown}
             */
            name: "ledger" | "knowledge" | "files";
            /** @description Null when it cannot be determined. */
            bytes: number | null;
        };
        /** SystemInfo */
        SystemInfo: {
            version: string;
            debug: boolean;
            edition: string;
            enable_marketplace: boolean;
            cloud_service_url: string;
            allow_modify_login_info: boolean;
            disable_models_service: boolean;
            limitation: {
                max_bots: number;
                max_pipelines: number;
                max_extensions: number;
            };
            /** @enum {unknown} */
            wizard_status: "none" | "skipped" | "completed";
            /** @description Null for callers without a credential that may read. */
            wizard_progress: {
                [key: string]: unknown;
            } | null;
        };
        /** SystemStatus */
        SystemStatus: {
            /** @description Of the server; that of the API is in `GET /api/v1/system/info`. */
            version: string;
            node_version: string;
            /** @description Operating system and processor, such as `linux-x64`. */
            platform: string;
            /** Format: date-time */
            started_at: string;
            uptime_seconds: number;
            /** @description Memory that the process holds (resident set). */
            memory_bytes: number;
            /** @enum {unknown} */
            engine: "sqlite" | "postgres";
            storage: components["schemas"]["StorageSize"][];
            settings: components["schemas"]["EffectiveSetting"][];
        };
        /** Task */
        Task: {
            id: number;
            /** @enum {unknown} */
            task_type: "system" | "user";
            kind: string;
            name: string;
            /** @description Display name. */
            label: string;
            scopes: ("application" | "platform" | "plugin" | "provider")[];
            task_context: {
                current_action: string;
                /** @description The latest lines, `YYYY-MM-DD HH:MM:SS | action | message` in UTC, each ended by a newline. */
                log: string;
                metadata: {
                    [key: string]: unknown;
                };
            };
            runtime: {
                done: boolean;
                /** @enum {unknown} */
                state: "PENDING" | "FINISHED" | "CANCELLED";
                /** @description Why it failed or was cancelled; null while it runs and after success. */
                exception: string | null;
                exception_traceback: null;
                /** @description The result, any JSON; null while it runs and after a failure. */
                result: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            finished_at: string | null;
        };
        /** ToolCall */
        ToolCall: {
            /** Format: uuid */
            uuid: string;
            tool_name: string;
            /** @description As the model gave them, JSON; a long text is cut. */
            parameters: string;
            result: string | null;
            /** @description Bytes of the whole result. */
            result_size: number | null;
            /** @enum {unknown} */
            state: "running" | "succeeded" | "failed" | "interrupted";
            /** @description One of the stable words of docs/errors.md. */
            reason: string | null;
            error: string | null;
            /** Format: date-time */
            started_at: string;
            milliseconds: number | null;
        };
        /** ToolUsers */
        ToolUsers: {
            /**
             * @description `nobody`: signed-in admins in the web chat only, who always may; `listed`: `users`, too; `everyone`.
             * @enum {unknown}
             */
            allow: "nobody" | "listed" | "everyone";
            /**
             * @description `person_<id>` with the id that the platform has for the user, wherever the user writes.
             * @default []
             */
            users: string[];
        };
        /** WebChatMessage */
        WebChatMessage: {
            id: number;
            /** Format: uuid */
            uuid: string;
            /** @enum {unknown} */
            role: "user" | "assistant";
            content: string;
            message_chain: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** Format: date-time */
            timestamp: string;
            is_final: boolean;
            connection_id: string;
        };
        /**
         * Webhook
         * @description An address that receives every incoming message; see docs/webhooks.md.
         */
        Webhook: {
            id: number;
            name: string;
            /** @description An http or https address without account name and password. */
            url: string;
            description: string;
            enabled: boolean;
            /** @description Signing secret; shown in full on creation only, then masked. */
            secret: string;
            /** @description `gone` when it was switched off because its address answered 410. */
            disabled_reason: "gone" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** WebhookAttempt */
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            started_at: string;
            milliseconds: number;
            /** @description Null when there was no answer. */
            status: number | null;
            error: string | null;
            /** @description The start of the response body. */
            answer: string | null;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description That of the message, and the `webhook-id` that is sent.
             */
            uuid: string;
            webhook_id: number;
            /** @enum {unknown} */
            event_type: "bot.person_message" | "bot.group_message";
            /** @enum {unknown} */
            state: "pending" | "delivered" | "failed";
            /** @description How often it was sent. */
            attempts: number;
            /** @description Null when it ended, and while an earlier one of its conversation comes first. */
            next_attempt_at: string | null;
            /** @description Whether the response prevented an answer to the message. */
            skip_pipeline: boolean;
            /** @description What went wrong last; null when it was delivered. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        };
        /** WebhookTestResult */
        WebhookTestResult: {
            delivered: boolean;
            milliseconds: number;
            /** @description Null when there was no answer. */
            status: number | null;
            error: string | null;
            /** @description The start of the response body. */
            answer: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                    };
                };
            };
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                    };
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSystemInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["SystemInfo"];
                    };
                };
            };
        };
    };
    postSystemWizardCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `completed` when left out.
                     * @enum {unknown}
                     */
                    status?: "skipped" | "completed";
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putSystemWizardProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSystemStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["SystemStatus"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSystemStatusPluginSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            is_enable: boolean;
                            is_connected: boolean;
                            /** @description `ok`, or what is wrong. */
                            plugin_connector_error: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postSystemDebugExec: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postSystemDebugPluginAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserInit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            initialized: boolean;
                            /** @description Whether this caller needs the token of the link that the start prints. */
                            setup_token_required: boolean;
                            /** @description Whether the request comes with a valid session. */
                            signed_in: boolean;
                        };
                    };
                };
            };
        };
    };
    postUserInit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address or name. */
                    user: string;
                    /** @description At least 8 characters. */
                    password: string;
                    setup_token?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Resets the password once. It is shown this once. */
                            recovery_key: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address or name. */
                    user: string;
                    password: string;
                    /** @description A code of the authenticator app, or a recovery code, which works once. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Sent as a bearer credential. Empty where the console asks: its session is a cookie that scripts cannot read. */
                            token: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserCheckToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Sent as a bearer credential. Empty where the console asks: its session is a cookie that scripts cannot read. */
                            token: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserSignOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["AccountInfo"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserAccountInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            initialized: boolean;
                            /** @enum {string} */
                            account_type?: "local";
                            has_password?: boolean;
                        };
                    };
                };
            };
        };
    };
    postUserChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /** @description At least 8 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            user: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserSetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /** @description At least 8 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            user: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSpaceCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            credits: null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address or name. */
                    user: string;
                    recovery_key: string;
                    /** @description At least 8 characters. */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            user: string;
                            /** @description Resets the password once. It is shown this once. */
                            recovery_key: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            accounts: components["schemas"]["Account"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address or name. */
                    user: string;
                    /** @description At least 8 characters. */
                    password: string;
                    /**
                     * @description `admin` may do everything. `member` reads what the scope `read` reaches, chats, sends, retries deliveries and manages knowledge and its own account.
                     * @enum {unknown}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @description Resets the password once. It is shown this once. */
                            recovery_key: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putAccountsByAccountUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `admin` may do everything. `member` reads what the scope `read` reaches, chats, sends, retries deliveries and manages knowledge and its own account.
                     * @enum {unknown}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAccountsByAccountUuid: {
        parameters: {
            query?: {
                /** @description What becomes of the API keys that the account made: `revoke` (as without it), `installation` to keep them as keys of the installation, or the uuid of the account that has them from now on. */
                api_keys?: string;
            };
            header?: never;
            path: {
                account_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["SecondFactorStatus"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the account; only accounts without one leave it out. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description For authenticator apps that take no QR code; base32. */
                            secret: string;
                            /** @description `otpauth://totp/…`, which a QR code shows to an authenticator app. */
                            uri: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserSecondFactorEnable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A code of the authenticator app, or a recovery code, which works once. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Each signs in once. They are shown this once. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserSecondFactorDisable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the account; only accounts without one leave it out. */
                    password?: string;
                    /** @description A code of the authenticator app, or a recovery code, which works once. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description What it is called; null when none is configured. */
                            name: string | null;
                        };
                    };
                };
            };
        };
    };
    postUserOidcBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Where the browser asks the provider. It comes back to `/sign-in/oidc` of the console. */
                            url: string;
                        };
                    };
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserOidcSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The query that the provider sent the browser back with: `code=…&state=…`. */
                    query: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Sent as a bearer credential. Empty where the console asks: its session is a cookie that scripts cannot read. */
                            token: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserOidcLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Null when it is not. */
                            linked_at: string | null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserOidcLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The query that the provider sent the browser back with: `code=…&state=…`. */
                    query: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUserOidcLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postUserOidcLinkBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Where the browser asks the provider. It comes back to `/sign-in/oidc` of the console. */
                            url: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            sessions: components["schemas"]["Session"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUserSessionsBySessionUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getApikeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            keys: components["schemas"]["ApiKey"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postApikeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    scopes?: ("read" | "write" | "send" | "admin")[];
                    /** @description Never expires when omitted. */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            key: components["schemas"]["ApiKey"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getApikeysById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            key: components["schemas"]["ApiKey"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putApikeysById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            key: components["schemas"]["ApiKey"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteApikeysById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query: {
                record_kind?: string;
                record_id?: string;
                action?: string;
                actor_id?: string;
                /** @description The earliest moment. */
                since?: string;
                /** @description The moment before which it was. */
                until?: string;
                limit: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelines: {
        parameters: {
            query?: {
                /** @description `created_at` or `updated_at`. */
                sort_by?: string;
                /** @description `DESC`, or anything else for ascending. */
                sort_order?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            pipelines: components["schemas"]["Pipeline"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPipelines: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    emoji?: string | null;
                    /** @description Laid over the default configuration. */
                    config?: {
                        [key: string]: unknown;
                    };
                    extensions_preferences?: {
                        /** @default true */
                        enable_all_plugins?: boolean;
                        /**
                         * @description Also those that are added later. Only an admin may switch it on, or add servers.
                         * @default false
                         */
                        enable_all_mcp_servers?: boolean;
                        /** @default [] */
                        plugins?: {
                            author: string;
                            name: string;
                        }[];
                        /**
                         * @description uuids.
                         * @default []
                         */
                        mcp_servers?: string[];
                        /**
                         * @description By uuid of an MCP server: for whom its tools run that are not confirmed to be read-only. `nobody` for servers that are not named. Only an admin may change it; if omitted, the stored value is retained.
                         * @default {}
                         */
                        mcp_tool_users?: {
                            [key: string]: components["schemas"]["ToolUsers"];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelinesMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            configs: components["schemas"]["FormTab"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelinesByPipelineUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            pipeline: components["schemas"]["Pipeline"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putPipelinesByPipelineUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    emoji?: string | null;
                    /** @description Laid over the default configuration. */
                    config?: {
                        [key: string]: unknown;
                    };
                    extensions_preferences?: {
                        /** @default true */
                        enable_all_plugins?: boolean;
                        /**
                         * @description Also those that are added later. Only an admin may switch it on, or add servers.
                         * @default false
                         */
                        enable_all_mcp_servers?: boolean;
                        /** @default [] */
                        plugins?: {
                            author: string;
                            name: string;
                        }[];
                        /**
                         * @description uuids.
                         * @default []
                         */
                        mcp_servers?: string[];
                        /**
                         * @description By uuid of an MCP server: for whom its tools run that are not confirmed to be read-only. `nobody` for servers that are not named. Only an admin may change it; if omitted, the stored value is retained.
                         * @default {}
                         */
                        mcp_tool_users?: {
                            [key: string]: components["schemas"]["ToolUsers"];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePipelinesByPipelineUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelinesByPipelineUuidExtensions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["PipelineExtensions"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putPipelinesByPipelineUuidExtensions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        /** @description Replaces all; omitted fields are reset to their defaults, except `mcp_tool_users`, which stays for the servers that stay bound. */
        requestBody: {
            content: {
                "application/json": {
                    /** @default true */
                    enable_all_plugins?: boolean;
                    /** @default false */
                    enable_all_mcp_servers?: boolean;
                    /** @default [] */
                    bound_plugins?: {
                        author: string;
                        name: string;
                    }[];
                    /**
                     * @description uuids.
                     * @default []
                     */
                    bound_mcp_servers?: string[];
                    /**
                     * @description By uuid of an MCP server: for whom its tools run that are not confirmed to be read-only. `nobody` for servers that are not named. Only an admin may change it; if omitted, the stored value is retained.
                     * @default {}
                     */
                    mcp_tool_users?: {
                        [key: string]: components["schemas"]["ToolUsers"];
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPipelinesByPipelineUuidCopy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putPipelinesByPipelineUuidDefault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            providers: components["schemas"]["ModelProvider"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderProviders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    requester: string;
                    base_url: string;
                    /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                    api_keys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderProvidersByProviderUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            provider: components["schemas"]["ModelProvider"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProviderProvidersByProviderUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    requester?: string;
                    base_url?: string;
                    /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                    api_keys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteProviderProvidersByProviderUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderProvidersByProviderUuidAvailableModels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description False when providers of this kind have no list; `models` is empty then. */
                            supported: boolean;
                            models: components["schemas"]["AvailableModel"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderRequesters: {
        parameters: {
            query?: {
                /** @description Only requesters of this kind of model: `llm`, `text-embedding` or `rerank`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            requesters: components["schemas"]["Requester"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderRequestersByRequesterName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requester_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            requester: components["schemas"]["Requester"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderRequestersByRequesterNameIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requester_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The icon. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsLlm: {
        parameters: {
            query?: {
                /** @description Only models of this provider, without the provider in each. */
                provider_uuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            models: components["schemas"]["LanguageModel"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsLlm: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                    abilities?: ("vision" | "func_call")[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsLlmByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            model: components["schemas"]["LanguageModel"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProviderModelsLlmByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                    abilities?: ("vision" | "func_call")[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteProviderModelsLlmByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsLlmByModelUuidTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Of a stored model, or `_` for the one that the body describes. */
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                    abilities?: ("vision" | "func_call")[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Milliseconds until the complete response. */
                            latency_ms: number;
                            usage: {
                                /** @description Null when the provider does not count. */
                                input_tokens: number | null;
                                /** @description Null when the provider does not count. */
                                output_tokens: number | null;
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsEmbedding: {
        parameters: {
            query?: {
                /** @description Only models of this provider, without the provider in each. */
                provider_uuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            models: components["schemas"]["EmbeddingModel"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsEmbeddingByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            model: components["schemas"]["EmbeddingModel"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProviderModelsEmbeddingByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteProviderModelsEmbeddingByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsEmbeddingByModelUuidTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Of a stored model, or `_` for the one that the body describes. */
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Milliseconds until the complete response. */
                            latency_ms: number;
                            /** @description Length of the vectors. */
                            dimension: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsRerank: {
        parameters: {
            query?: {
                /** @description Only models of this provider, without the provider in each. */
                provider_uuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            models: components["schemas"]["RerankModel"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsRerank: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelsRerankByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            model: components["schemas"]["RerankModel"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProviderModelsRerankByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteProviderModelsRerankByModelUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postProviderModelsRerankByModelUuidTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Of a stored model, or `_` for the one that the body describes. */
                model_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Goes before `provider`. */
                    provider_uuid?: string;
                    /** @description Names a provider by `uuid`; without one, describes one that is found or made. */
                    provider?: {
                        uuid?: string;
                        name?: string;
                        requester?: string;
                        base_url?: string;
                        /** @description A masked key refers to the stored key with this mask, if requester and origin of the address stay. */
                        api_keys?: string[];
                    };
                    extra_args?: {
                        [key: string]: unknown;
                    };
                    prefered_ranking?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Milliseconds until the complete response. */
                            latency_ms: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProviderModelPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            model_prices: components["schemas"]["ModelPrice"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProviderModelPricesByModelName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id at the provider; a slash in it is written `%2F`. Upper and lower case are the same. */
                model_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Price of 1,000,000 tokens that a model reads. */
                    input_price: number;
                    /** @description Price of 1,000,000 tokens that a model writes. */
                    output_price: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            model_price: components["schemas"]["ModelPrice"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteProviderModelPricesByModelName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id at the provider; a slash in it is written `%2F`. Upper and lower case are the same. */
                model_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlatformAdapters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            adapters: components["schemas"]["Adapter"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlatformAdaptersByAdapterName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                adapter_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            adapter: components["schemas"]["Adapter"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPlatformAdaptersByAdapterNameTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                adapter_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As described by the `spec.config` of the adapter. A masked secret retains the stored one. */
                    adapter_config: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description The bot whose stored secrets replace masked values.
                     */
                    bot_uuid?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description The bot's own id on the platform. */
                            account_id: string;
                            /** @description Display name on the platform. */
                            account_name: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlatformAdaptersByAdapterNameIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                adapter_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The icon. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlatformBots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            bots: components["schemas"]["Bot"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPlatformBots: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    adapter: string;
                    /** @description As described by the `spec.config` of the adapter. A masked secret retains the stored one. */
                    adapter_config: {
                        [key: string]: unknown;
                    };
                    enable?: boolean;
                    /** @description Empty or null for no pipeline. */
                    use_pipeline_uuid?: string | null;
                    /** @description Evaluated in order; a message that matches none of them goes through `use_pipeline_uuid`. */
                    pipeline_routing_rules?: components["schemas"]["PipelineRoutingRule"][];
                    /**
                     * @description What happens after a send that may have arrived: `continue` with the next part, `stop` before it, or `repeat` the send, which may show it twice.
                     * @enum {unknown}
                     */
                    uncertain_sends?: "continue" | "stop" | "repeat";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlatformBotsByBotUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bot_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            bot: components["schemas"]["Bot"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putPlatformBotsByBotUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bot_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    adapter?: string;
                    /** @description As described by the `spec.config` of the adapter. A masked secret retains the stored one. */
                    adapter_config?: {
                        [key: string]: unknown;
                    };
                    enable?: boolean;
                    /** @description Empty or null for no pipeline. */
                    use_pipeline_uuid?: string | null;
                    /** @description Evaluated in order; a message that matches none of them goes through `use_pipeline_uuid`. */
                    pipeline_routing_rules?: components["schemas"]["PipelineRoutingRule"][];
                    /**
                     * @description What happens after a send that may have arrived: `continue` with the next part, `stop` before it, or `repeat` the send, which may show it twice.
                     * @enum {unknown}
                     */
                    uncertain_sends?: "continue" | "stop" | "repeat";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePlatformBotsByBotUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bot_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPlatformBotsByBotUuidLogs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                bot_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Number of the last entry that is asked for; negative for the latest.
                     * @default -1
                     */
                    from_index?: number;
                    /**
                     * @description How many entries, at most 200.
                     * @default 10
                     */
                    max_count?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Oldest first. */
                            logs: components["schemas"]["BotEvent"][];
                            /** @description How many entries are stored. */
                            total_count: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPlatformBotsByBotUuidSendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                bot_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    target_type: "person" | "group";
                    /** @description The user for `person`, the group for `group`. An integer is read as its text. */
                    target_id: string | number;
                    /** @description A `Plain` element has a `text`. */
                    message_chain: components["schemas"]["MessageElement"][];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            sent: boolean;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMessages: {
        parameters: {
            query: {
                bot_uuid?: string;
                pipeline_uuid?: string;
                conversation_uuid?: string;
                session_type?: "person" | "group";
                session_id?: string;
                sender_id?: string;
                direction?: "inbound" | "outbound";
                state?: "received" | "processing" | "answered" | "stopped" | "failed" | "uncertain" | "writing" | "finished";
                /** @description `answered`, or one of the words of docs/errors.md. */
                reason?: string;
                /** @description Stands in the text; upper and lower case are the same. */
                text?: string;
                /** @description The earliest moment. */
                from?: string;
                /** @description The moment before which it was. */
                to?: string;
                limit: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            messages: components["schemas"]["Message"][];
                            /** @description Null when there are no more. A page with a cursor may hold less than `limit`, or nothing. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMessagesByMessageUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            message: components["schemas"]["Message"];
                            /** @description The pieces of an outbound message. */
                            deliveries: components["schemas"]["Delivery"][];
                            answer: {
                                message: components["schemas"]["Message"];
                                deliveries: components["schemas"]["Delivery"][];
                            } | null;
                            /** @description The message that this one answers. */
                            reply_to: components["schemas"]["Message"] | null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMessagesByMessageUuidExplain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["MessageExplanation"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMessagesByMessageUuidImagesByElement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_uuid: string;
                /** @description Place in `message_chain`, from 0. */
                element: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postMessagesByMessageUuidDeliveriesByPartRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                message_uuid: string;
                /** @description As `piece` of the deliveries, from 0. */
                part: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["RetriedDelivery"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postMessagesByMessageUuidFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                message_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 for a like, 2 for a dislike. */
                    feedback_type: 1 | 2;
                    feedback_content?: string | null;
                    inaccurate_reasons?: string[] | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            feedback: components["schemas"]["Feedback"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postFilesDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description At most 10 MB. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Identifies the document when it is added to a knowledge base. */
                            file_id: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postFilesImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description A PNG, JPEG, GIF or WebP image of at most 10 MB. Its content tells which, not its name. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Names the image: in the `path` of an `Image` element, and at `/api/v1/files/image/{key}`. */
                            file_key: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getFilesImageByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                };
            };
            /** @description The image is what the `If-None-Match` header says. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelinesByPipelineUuidWsMessagesBySessionType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
                /** @description `person` or `group`. */
                session_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            messages: components["schemas"]["WebChatMessage"][];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPipelinesByPipelineUuidWsResetBySessionType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                pipeline_uuid: string;
                /** @description `person` or `group`. */
                session_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            message: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPipelinesByPipelineUuidWsConnections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            stats: {
                                total_connections: number;
                                pipelines: number;
                                connections_by_pipeline: {
                                    [key: string]: number;
                                };
                                connections_by_session_type: {
                                    [key: string]: number;
                                };
                            };
                            connections: {
                                connection_id: string;
                                /** @enum {unknown} */
                                session_type: "person" | "group";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                last_active: string;
                                is_active: boolean;
                            }[];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postPipelinesByPipelineUuidWsBroadcast: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                pipeline_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Anything but an empty value. */
                    message: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            message: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getV1Models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["ListedModel"][];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Default Response */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
        };
    };
    getV1ModelsByModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or uuid of a pipeline. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedModel"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Default Response */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
        };
    };
    postV1ChatCompletions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Default Response */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
        };
    };
    postV1Responses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Default Response */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelApiError"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Only these types, with commas between them. All when left out. */
                types?: string;
                /** @description Where to go on, for clients that cannot set the header `Last-Event-ID`. */
                last_event_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the connection ends: `bot`, `task`, `message`, `mcp-server`, and `resync` when some were missed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description An http or https address without account name and password. */
                    url: string;
                    description?: string;
                    /** @description True when omitted. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getWebhooksById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            webhook: components["schemas"]["Webhook"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putWebhooksById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null or omitted: unchanged. */
                    name?: string | null;
                    /** @description Null or omitted: unchanged. */
                    url?: string | null;
                    /** @description Null or omitted: unchanged. */
                    description?: string | null;
                    /** @description Null or omitted: unchanged. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteWebhooksById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postWebhooksByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Whole; it is not shown again. */
                            secret: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postWebhooksByIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["WebhookTestResult"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getWebhooksByIdDeliveries: {
        parameters: {
            query: {
                state?: "pending" | "delivered" | "failed";
                limit: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getWebhooksByIdDeliveriesByDeliveryUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                delivery_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            delivery: components["schemas"]["WebhookDelivery"];
                            /** @description In order; the last 100 of them. */
                            attempts: components["schemas"]["WebhookAttempt"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postWebhooksByIdDeliveriesByDeliveryUuidRedeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                id: number;
                delivery_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSystemTasks: {
        parameters: {
            query?: {
                /** @description `system` or `user`; empty for both. */
                type?: string;
                /** @description Empty for all. */
                kind?: string;
                /** @description All tasks when left out. */
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description By their numbers, oldest first. */
                            tasks: components["schemas"]["Task"][];
                            /** @description The number that the next task gets. */
                            id_index: number;
                            /** @description Cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSystemTasksById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["Task"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postSystemTasksByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["Task"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSafetySensitiveWords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["SensitiveWords"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putSafetySensitiveWords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Each is a plain word, or a regular expression when it has one of `\ . + * ? ( ) [ ] { } ^ $ |`. Capital letters count. At most 500 regular expressions. */
                    words?: string[];
                    /** @description Replaces each character of a word in an answer. If that would form another word of the list, another character is used. */
                    mask?: string;
                    /** @description Replaces the entire word unless it is empty. */
                    mask_word?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getStatsBasic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["Statistics"];
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getLogs: {
        parameters: {
            query: {
                /** @description `end_page_number` of the last answer. */
                start_page_number: number;
                /** @description `end_offset` of the last answer. */
                start_offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["LogPage"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSurveyPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            survey: null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postSurveyRespond: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RespondToSurvey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postSurveyDismiss: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DismissSurvey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            bases: components["schemas"]["KnowledgeBase"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBases: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    emoji?: string | null;
                    /** @description By the engine's schema; omitted settings have their defaults. */
                    retrieval_settings?: {
                        [key: string]: unknown;
                    };
                    /** @description By the engine's schema; omitted settings have their defaults. */
                    creation_settings?: {
                        [key: string]: unknown;
                    };
                    /** @description `author/name`. */
                    knowledge_engine_plugin_id: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            base: components["schemas"]["KnowledgeBase"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putKnowledgeBasesByKnowledgeBaseUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string;
                    emoji?: string | null;
                    /** @description By the engine's schema; omitted settings have their defaults. */
                    retrieval_settings?: {
                        [key: string]: unknown;
                    };
                    /** @description By the engine's schema; omitted settings have their defaults. */
                    creation_settings?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @description The task that stores all documents anew, which other `creation_settings` begin; null when none was begun. */
                            task_id: number | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteKnowledgeBasesByKnowledgeBaseUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidFiles: {
        parameters: {
            query?: {
                /** @description All when left out. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            files: components["schemas"]["KnowledgeBaseFile"][];
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of an uploaded document. */
                    file_id?: string;
                    /** @description `author/name`; selected automatically when omitted. */
                    parser_plugin_id?: string | null;
                    /** @description What filters may ask for. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Also when a document with the same content is in the base. */
                    allow_duplicate?: boolean;
                    /** @description The same as `file_id`. */
                    file_key?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Of the first file. */
                            task_id: number;
                            /** @description One for each file, in their order. */
                            task_ids: number[];
                            /** @description Of a ZIP archive those in it. */
                            files: components["schemas"]["KnowledgeBaseFile"][];
                            /** @description Files of an archive that were not attached. */
                            skipped: {
                                file_name: string;
                                reason: string;
                                message: string;
                                /** @description The document that has the same content. */
                                document_uuid: string | null;
                            }[];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            file: components["schemas"]["KnowledgeBaseFileDetail"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it was uploaded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidChunks: {
        parameters: {
            query: {
                limit: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            chunks: components["schemas"]["KnowledgeChunk"][];
                            total: number;
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            task_id: number;
                            file: components["schemas"]["KnowledgeBaseFileDetail"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidReindex: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            task_id: number;
                            file: components["schemas"]["KnowledgeBaseFileDetail"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidFilesByFileUuidCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
                file_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            file: components["schemas"]["KnowledgeBaseFileDetail"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidCollections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            collections: components["schemas"]["KnowledgeCollection"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidCollections: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Those of the collection that is searched when left out. */
                    creation_settings?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            task_id: number;
                            collection: components["schemas"]["KnowledgeCollection"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidCollectionsByCollectionIdActivate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
                collection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            collection: components["schemas"]["KnowledgeCollection"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteKnowledgeBasesByKnowledgeBaseUuidCollectionsByCollectionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                collection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidRetrieve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    query: string;
                    /** @description Laid over those of the knowledge base. */
                    retrieval_settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Conditions by field, all of which have to hold: `{"page": {"$gte": 3}, "lang": "en"}`. Fields are `file_id`, `document_id`, `file_name`, `extension`, `media_type`, `created_at`, `page`, and the keys of the `metadata` of documents. Operators are `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in` and `$nin`. */
                    filters?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            results: components["schemas"]["RetrievalResult"][];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Bad Gateway */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Gateway Timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidQuestions: {
        parameters: {
            query?: {
                /** @description All when left out. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            questions: components["schemas"]["GoldenQuestion"][];
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidQuestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    question?: string;
                    expected?: {
                        /** @description The document, by its uuid in the knowledge base … */
                        document_uuid?: string;
                        /** @description … or by what its upload was answered with … */
                        file_id?: string;
                        /** @description … or by its name, where no other has it. The first of the three that is given counts. */
                        file_name?: string | null;
                        /** @description Text of the document that a passage must contain to count. Spaces and case do not matter. */
                        quote?: string | null;
                        /** @description How relevant it is. Default 1. */
                        grade?: number;
                    }[];
                    /** @description Several questions, instead of `question` and `expected`. All of them are written, or none. */
                    questions?: {
                        question: string;
                        expected: {
                            /** @description The document, by its uuid in the knowledge base … */
                            document_uuid?: string;
                            /** @description … or by what its upload was answered with … */
                            file_id?: string;
                            /** @description … or by its name, where no other has it. The first of the three that is given counts. */
                            file_name?: string | null;
                            /** @description Text of the document that a passage must contain to count. Spaces and case do not matter. */
                            quote?: string | null;
                            /** @description How relevant it is. Default 1. */
                            grade?: number;
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            questions: components["schemas"]["GoldenQuestion"][];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                question_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            question: components["schemas"]["GoldenQuestion"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                question_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    question?: string;
                    expected?: {
                        /** @description The document, by its uuid in the knowledge base … */
                        document_uuid?: string;
                        /** @description … or by what its upload was answered with … */
                        file_id?: string;
                        /** @description … or by its name, where no other has it. The first of the three that is given counts. */
                        file_name?: string | null;
                        /** @description Text of the document that a passage must contain to count. Spaces and case do not matter. */
                        quote?: string | null;
                        /** @description How relevant it is. Default 1. */
                        grade?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            question: components["schemas"]["GoldenQuestion"];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteKnowledgeBasesByKnowledgeBaseUuidQuestionsByQuestionUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                question_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidEvaluations: {
        parameters: {
            query?: {
                /** @description All when left out. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            evaluations: components["schemas"]["EvaluationSummary"][];
                            /** @description Null when there are no more. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postKnowledgeBasesByKnowledgeBaseUuidEvaluations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                knowledge_base_uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one that is searched when left out. */
                    collection_id?: string | null;
                    /** @description A language model that is to answer each question from what is found, to see what it cites. */
                    model_uuid?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            task_id: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeBasesByKnowledgeBaseUuidEvaluationsByEvaluationUuid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                knowledge_base_uuid: string;
                evaluation_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            evaluation: components["schemas"]["Evaluation"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeEngines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            engines: components["schemas"]["KnowledgeEngine"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeEnginesByPluginIdCreationSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `author/name`, with the slash percent-encoded. */
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            schema: {
                                schema: components["schemas"]["FormField"][];
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeEnginesByPluginAuthorByPluginNameCreationSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_author: string;
                plugin_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            schema: {
                                schema: components["schemas"]["FormField"][];
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeEnginesByPluginIdRetrievalSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `author/name`, with the slash percent-encoded. */
                plugin_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            schema: {
                                schema: components["schemas"]["FormField"][];
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeEnginesByPluginAuthorByPluginNameRetrievalSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin_author: string;
                plugin_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            schema: {
                                schema: components["schemas"]["FormField"][];
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeParsers: {
        parameters: {
            query?: {
                /** @description Only parsers that read this type of file. */
                mime_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            parsers: components["schemas"]["DocumentParser"][];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKnowledgeMigrationStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            needed: boolean;
                            internal_kb_count: number;
                            external_kb_count: number;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            plugins: components["schemas"]["Plugin"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPluginsDebugInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Address that plugins under development connect to; empty when there is none. */
                            debug_url: string;
                            /** @description Key that they present; empty when none is needed. */
                            plugin_debug_key: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPluginsByAuthorByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                author: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            plugin: components["schemas"]["Plugin"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPluginsByAuthorByNameConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                author: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            config: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPluginsByAuthorByNameReadme: {
        parameters: {
            query: {
                /** @description Language of the text, `en` or `zh_Hans`. */
                language: string;
            };
            header?: never;
            path: {
                author: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** @description Markdown. */
                            readme: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMcpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            servers: components["schemas"]["McpServer"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postMcpServers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description False when omitted. */
                    enable?: boolean;
                    /**
                     * @description `stdio` starts a command; `sse` and `http` (streamable HTTP) call an address.
                     * @enum {unknown}
                     */
                    mode: "stdio" | "sse" | "http";
                    /** @description By mode: `command`, `args`, `env` for `stdio`; `url`, `headers`, `timeout`, `ssereadtimeout` for `sse`; `url`, `headers`, `timeout` for `http`. A masked value of `env` or `headers` retains the stored one while the mode and the command with its arguments, or the origin of the address, stay the same. */
                    extra_args?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMcpServersByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name, percent-encoded, or the uuid. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            server: components["schemas"]["McpServer"];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putMcpServersByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name, percent-encoded, or the uuid. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    enable?: boolean;
                    /**
                     * @description `stdio` starts a command; `sse` and `http` (streamable HTTP) call an address.
                     * @enum {unknown}
                     */
                    mode?: "stdio" | "sse" | "http";
                    /** @description By mode: `command`, `args`, `env` for `stdio`; `url`, `headers`, `timeout`, `ssereadtimeout` for `sse`; `url`, `headers`, `timeout` for `http`. A masked value of `env` or `headers` retains the stored one while the mode and the command with its arguments, or the origin of the address, stay the same. */
                    extra_args?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteMcpServersByName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name, percent-encoded, or the uuid. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putMcpServersByNameReadOnlyTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name, percent-encoded, or the uuid. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tools: {
                        /** @description As the server calls it. */
                        name: string;
                        /** @description False takes a confirmation back. */
                        read_only: boolean;
                        /** @description That of the tool as it was read; needed to confirm. 409 when it is another now. */
                        fingerprint?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: Record<string, never>;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postMcpServersByNameTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request: sent again under the same name within 24 hours, it is not carried out again, and what was answered first is answered again. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The name, percent-encoded, or the uuid. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    enable?: boolean;
                    /**
                     * @description `stdio` starts a command; `sse` and `http` (streamable HTTP) call an address.
                     * @enum {unknown}
                     */
                    mode?: "stdio" | "sse" | "http";
                    /** @description By mode: `command`, `args`, `env` for `stdio`; `url`, `headers`, `timeout`, `ssereadtimeout` for `sse`; `url`, `headers`, `timeout` for `http`. A masked value of `env` or `headers` retains the stored one while the mode and the command with its arguments, or the origin of the address, stay the same. */
                    extra_args?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            task_id: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringOverview: {
        parameters: {
            query?: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["MonitoringOverview"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringMessages: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                sessionId?: string | string[];
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            messages: components["schemas"]["MonitoredMessage"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringLlmCalls: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            llm_calls: components["schemas"]["MonitoredLlmCall"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringToolCalls: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            tool_calls: components["schemas"]["MonitoredToolCall"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringEmbeddingCalls: {
        parameters: {
            query: {
                knowledgeBaseId?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            embedding_calls: components["schemas"]["MonitoredEmbeddingCall"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringSessions: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                isActive?: string;
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            sessions: components["schemas"]["MonitoredSession"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringErrors: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            errors: components["schemas"]["MonitoredError"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringFeedback: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description 1 for likes, 2 for dislikes. */
                feedbackType?: number;
                messageId?: string | string[];
                /** @description At most 1000 count. */
                limit: number;
                offset: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            feedback: components["schemas"]["MonitoredFeedback"][];
                            total: number;
                            limit: number;
                            offset: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringData: {
        parameters: {
            query: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description At most 1000 count. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            overview: components["schemas"]["MonitoringOverview"];
                            messages: components["schemas"]["MonitoredMessage"][];
                            llmCalls: components["schemas"]["MonitoredLlmCall"][];
                            embeddingCalls: components["schemas"]["MonitoredEmbeddingCall"][];
                            sessions: components["schemas"]["MonitoredSession"][];
                            errors: components["schemas"]["MonitoredError"][];
                            totalCount: {
                                messages: number;
                                llmCalls: number;
                                embeddingCalls: number;
                                sessions: number;
                                errors: number;
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringMessagesByMessageIdDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            message_id: string;
                            found: boolean;
                            message: components["schemas"]["MonitoredMessage"];
                            llm_calls: components["schemas"]["MonitoredLlmCall"][];
                            llm_stats: {
                                total_calls: number;
                                total_input_tokens: number;
                                total_output_tokens: number;
                                total_tokens: number;
                                average_duration_ms: number;
                                total_duration_ms: number;
                            };
                            errors: components["schemas"]["MonitoredError"][];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringSessionsBySessionIdAnalysis: {
        parameters: {
            query?: {
                botId?: string | string[];
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            session_id: string;
                            found: boolean;
                            session?: components["schemas"]["MonitoredSession"];
                            message_stats?: {
                                total: number;
                                success: number;
                                error: number;
                                pending: number;
                            };
                            llm_stats?: {
                                total_calls: number;
                                total_input_tokens: number;
                                total_output_tokens: number;
                                total_tokens: number;
                                average_duration_ms: number;
                                success_calls: number;
                                error_calls: number;
                            };
                            errors?: components["schemas"]["MonitoredError"][];
                            session_duration_seconds?: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringFeedbackStats: {
        parameters: {
            query?: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            total_feedback: number;
                            total_likes: number;
                            total_dislikes: number;
                            /** @description Percent; 0 where there is no feedback. */
                            satisfaction_rate: number;
                            by_bot: {
                                bot_id: string;
                                bot_name: string;
                                total: number;
                                likes: number;
                                dislikes: number;
                            }[];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringFigures: {
        parameters: {
            query?: {
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["MonitoringFigures"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringSeries: {
        parameters: {
            query: {
                metric: "messages" | "failures" | "llm_calls" | "llm_failures" | "input_tokens" | "output_tokens" | "cost" | "tool_calls" | "tool_failures" | "embedding_calls" | "latency";
                interval: "hour" | "day";
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                model?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: components["schemas"]["MonitoringSeries"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringCosts: {
        parameters: {
            query: {
                groupBy: "model" | "bot" | "pipeline";
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                model?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {integer} */
                        code: 0;
                        /** @enum {string} */
                        msg: "ok";
                        data: {
                            costs: components["schemas"]["CostShare"][];
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMonitoringExport: {
        parameters: {
            query: {
                type: "messages" | "llm-calls" | "tool-calls" | "embedding-calls" | "errors" | "sessions" | "feedback";
                /** @description `json` gives one JSON object a line, with all fields of the record. */
                format: "csv" | "json";
                botId?: string | string[];
                pipelineId?: string | string[];
                /** @description ISO 8601; UTC where no time zone is given. */
                startTime?: string;
                /** @description ISO 8601; UTC where no time zone is given. */
                endTime?: string;
                /** @description The newest so many records. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A table whose first line names its columns, in UTF-8 with a byte order mark; or JSON, a record a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
