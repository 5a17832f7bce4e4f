# The companion in a container: docker build -t companion . && docker run -p 8000:8000 -v companion:/data companion
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /src
# Everything is pinned by hash: Python packages in uv.lock, npm packages in package-lock.json.
COPY pyproject.toml uv.lock ./
COPY tools/locked.py tools/
RUN python tools/locked.py uv > uv.txt \
    && pip install --no-cache-dir --require-hashes -r uv.txt \
    && uv export --frozen --only-group build -o build.txt \
    && uv export --frozen --all-extras --no-emit-project -o /requirements.txt \
    && pip install --no-cache-dir --require-hashes -r build.txt
COPY . .
ARG SOURCE_URL=""
RUN pip wheel --no-cache-dir --no-build-isolation --no-deps --wheel-dir /wheels .

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
ARG VERSION="" REVISION="" SOURCE_URL=""
LABEL org.opencontainers.image.title="Hiss, the draw-grid companion" \
    org.opencontainers.image.description="A panel beside the video call for a card game that friends play with their own cards. Unofficial." \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.source="${SOURCE_URL}"
COPY --from=build /requirements.txt /requirements.txt
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --require-hashes -r /requirements.txt \
    && pip install --no-cache-dir --no-deps /wheels/*.whl \
    && useradd --system --uid 10001 companion \
    && install -d -o companion /data
USER companion
# Use huge memory pages where the host has them: saves an eighth of the CPU time (docs/speed.md).
ENV PYTHONMALLOC=malloc \
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1
# The server listens on COMPANION_PORT, else on PORT, else on 8000.
ENV COMPANION_HOST=0.0.0.0 \
    COMPANION_DATABASE=sqlite:////data/companion.sqlite3
VOLUME /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "from os import environ as e; from urllib.request import urlopen; urlopen('http://127.0.0.1:%s/healthz' % (e.get('COMPANION_PORT') or e.get('PORT') or 8000), timeout=3)"]
CMD ["companion", "serve"]
