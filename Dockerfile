# The companion in a container: docker build -t companion . && docker run -p 8000:8000 -v companion:/data companion
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
# The build hook fetches the page's two libraries with a Node of its own when there is none.
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
COPY requirements.lock /requirements.lock
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir -c /requirements.lock "$(echo /wheels/*.whl)[postgresql,redis]" \
    && useradd --system --uid 10001 companion \
    && install -d -o companion /data
USER companion
# The tables lie in large pages, where there are any: an eighth less of a processor (docs/speed.md).
ENV PYTHONMALLOC=malloc \
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1
ENV COMPANION_HOST=0.0.0.0 \
    COMPANION_PORT=8000 \
    COMPANION_DATABASE=sqlite:////data/companion.sqlite3
VOLUME /data
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["companion", "serve"]
